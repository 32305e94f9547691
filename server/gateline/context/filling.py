"""Vectors for a whole index, some at a time: questions are answered in between, without them."""

from __future__ import annotations

from collections.abc import Callable

from gateline.context.arrays import Scores
from gateline.context.index import Index, Known


class Filling:
    """Makes the vectors of one tier. The index gets all of them at once, when the last is made."""

    def __init__(self, index: Index, tier: str, made: Callable[[list[str]], Scores]) -> None:
        self._index, self._tier, self._made = index, tier, made
        self._waiting = index.texts()
        self._known: Known = {}

    def step(self, most: int) -> int:
        """Make those of the next `most` texts; how many are left."""
        if not self._known and len(self._waiting) <= most:
            self._index.fill(self._tier, self._made)
            return 0
        some, self._waiting = self._waiting[:most], self._waiting[most:]
        self._known.update(zip(some, self._made(some), strict=True))
        if not self._waiting:
            self._index.fill(self._tier, self._made, self._known)
        return len(self._waiting)
