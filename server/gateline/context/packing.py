"""Packs passages into a budget of tokens: the best first, nothing twice, long ones shortened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gateline.context.values import Answer, Passage
from gateline.model import Span

_PER_TOKEN = 3.6
"""Characters of code in one token of a language model, about."""
_LEAST = 40
"""Tokens: a piece shorter than this tells nothing."""
_SHARE = 0.5
"""Of the budget that one passage may take while others wait."""
_CUT = "…"


def tokens_in(text: str) -> int:
    """About how many tokens of a language model a text takes."""
    return int(len(text) / _PER_TOKEN) + 1


def packed(passages: Sequence[Passage], budget: int, tiers: tuple[str, ...]) -> Answer:
    """The passages that fit into `budget` tokens, in their order."""
    kept: list[Passage] = []
    left = budget
    waiting = _distinct(passages)
    for passage in waiting:
        most = left if len(waiting) == 1 else min(left, max(int(budget * _SHARE), _LEAST))
        fitting = shortened(passage, most)
        if fitting is not None:
            kept.append(fitting)
            left -= fitting.tokens
    used = sum(passage.tokens for passage in kept)
    return Answer(tuple(kept), tiers, tokens=used, left_out=len(waiting) - len(kept))


def _distinct(passages: Iterable[Passage]) -> list[Passage]:
    """Without what lies inside of a better passage, and without the same text elsewhere."""
    kept: list[Passage] = []
    texts: set[str] = set()
    for passage in passages:
        inside = any(p.path == passage.path and _holds(p.span, passage.span) for p in kept)
        if not inside and passage.hash not in texts:
            kept.append(passage)
            texts.add(passage.hash)
    return kept


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start.line <= inner.start.line and inner.end.line <= outer.end.line


def shortened(passage: Passage, most: int) -> Passage | None:
    """The passage in at most so many tokens, its beginning kept; None when too little would be left."""
    if passage.tokens <= most:
        return passage
    if most < _LEAST:
        return None
    room = int((most - 2) * _PER_TOKEN)
    whole, _, _ = passage.text[:room].rpartition("\n")
    text = f"{whole or passage.text[:room]}\n{_CUT}"
    return replace(passage, text=text, tokens=tokens_in(text), shortened=True)
