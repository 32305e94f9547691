"""Orders and stock of a small warehouse."""
