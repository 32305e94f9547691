"""A `ty server` as a client asks it."""
