"""Helpers of the tests: repositories, processes, clocks turned by hand, text cases, golden files."""
