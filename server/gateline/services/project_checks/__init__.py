"""A project's own lint command and its build, on one checkout, in isolation."""
