"""Candidate solutions: what a person names becomes a tree, and a tree a folder of its own."""
