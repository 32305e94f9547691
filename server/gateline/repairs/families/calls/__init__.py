"""A call does not fit what it calls."""
