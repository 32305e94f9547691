"""Lessons: what was learned of a workspace, when two notes are of one subject, and what is handed out."""
