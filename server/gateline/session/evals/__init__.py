"""Evals of a workspace: suites are read, run, measured against earlier runs, and remembered."""
