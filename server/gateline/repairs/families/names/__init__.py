"""A name is not bound, or another one is meant."""
