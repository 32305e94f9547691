"""Measures `gateline refine` on tasks with several faults each."""
