"""Runs programs apart from everything else: the port, its levels, and what closes a process in."""
