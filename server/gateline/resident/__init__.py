"""The client of a session that is running already: an editor's, or a resident engine's.

Standard library only, and little of it: a hook of an agent starts a process for each edit, and everything
imported here is waited for.
"""
