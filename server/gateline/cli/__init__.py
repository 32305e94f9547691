"""The command line: one of the doors to a session."""
