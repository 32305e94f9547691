"""Models, all optional: nothing here is imported where none is asked."""
