"""Retrieval of context in one workspace: the index in a process of its own, and who asks it."""
