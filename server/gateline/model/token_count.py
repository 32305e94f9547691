"""About how many tokens a text is, where no tokenizer is the right one. Hooks import it, so it is light."""

from __future__ import annotations

CHARACTERS = 4
"""Characters of a token."""


def tokens_of(text: str) -> int:
    """About how many tokens a text is: one for each four characters, rounded up."""
    return -(-len(text) // CHARACTERS)
