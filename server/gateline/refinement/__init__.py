"""Refinement: an agent works in rounds, and what a round came to decides on the next. Pure; no I/O."""
