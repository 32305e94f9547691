"""Savepoints: the content of a workspace at a moment, kept apart from the user's repository."""
