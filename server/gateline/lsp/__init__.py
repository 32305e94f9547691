"""The language server: one of the doors to a session."""
