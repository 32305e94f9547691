"""Comparing candidate solutions: each is checked out apart, looked at, tested in isolation, and ranked."""
