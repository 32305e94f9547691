"""Scores the judgement of changes of which it is known what should be said of them."""
