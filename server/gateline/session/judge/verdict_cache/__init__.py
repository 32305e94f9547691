"""Verdicts by content: the same checkpoint on the same content is answered without judging it again.

The lookup stands between a command and its answer, so nothing here imports what judges.
"""
