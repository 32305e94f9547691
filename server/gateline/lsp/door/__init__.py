"""The second door of a server: a socket of its user's, where hooks and other programs ask a session."""
