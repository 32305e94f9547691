"""Ordinary runs of mypy, and what they are made of: settings, files, plug-ins, the cache."""
