"""The folder that is put on PYTHONPATH of a process whose faults are planned."""
