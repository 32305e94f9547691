"""Tests of a workspace: which a change needs, how they are run, and what they cover."""
