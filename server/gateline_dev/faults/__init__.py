"""Fault matrix: every source of a verdict, every way in which it can fail, every door."""
