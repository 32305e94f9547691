"""The families of repairs, one file each, found by their `REPAIRER`."""
