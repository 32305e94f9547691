"""The lessons of a workspace in memory, with their vectors; follows what other processes write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gateline.context.arrays import Scores
from gateline.context.directions import Directions
from gateline.session.memory.embedding import Maker, packed, unpacked
from gateline.store.lessons import Lessons, Row, Writing

_AT_ONCE = 64
"""Texts that are embedded together where an older lesson has no vector yet."""


class Known:
    """All lessons with the vectors of some makers. Not safe for threads."""

    def __init__(self, lessons: Lessons, makers: Sequence[Maker]) -> None:
        self._lessons = lessons
        self._makers = makers
        self._edition = 0
        self._deletions = 0
        self.rows: dict[int, Row] = {}
        self._tiers = {maker.tier: _Vectors() for maker in makers}

    def follow(self) -> None:
        """Take up what was written since. Raises StoreError."""
        changes = self._lessons.changes(self._edition)
        if changes.deletions != self._deletions:
            self._edition, self._deletions = 0, changes.deletions
            self.rows.clear()
            self._tiers = {maker.tier: _Vectors() for maker in self._makers}
            changes = self._lessons.changes(0)
        if not changes.rows:
            return
        self.rows.update((row.number, row) for row in changes.rows)
        for maker in self._makers:
            self._tiers[maker.tier].clear([row.number for row in changes.rows])
            self._tiers[maker.tier].put(self._lessons.vectors(maker.name, self._edition))
        self._edition = changes.edition

    def complete(self, writing: Writing) -> None:
        """Make the vectors that lessons lack: they were written where a maker was missing."""
        for maker in self._makers:
            while missing := self._lessons.without_vector(maker.name, _AT_ONCE):
                made = list(map(packed, maker.of([text for _, _, text in missing])))
                rows = [(n, version, part) for (n, version, _), part in zip(missing, made, strict=True)]
                writing.supply(maker.name, rows)
                self._tiers[maker.tier].put([(number, part) for number, _, part in rows])

    @property
    def is_complete(self) -> bool:
        """Whether all lessons that were taken up have all vectors."""
        return all(len(vectors) == len(self.rows) for vectors in self._tiers.values())

    def nearest(self, vectors: Mapping[str, Scores], most: int) -> list[int]:
        """The numbers of the lessons that are nearest to a text by some tier."""
        found = (
            number for tier, vector in vectors.items() for number in self._tiers[tier].best(vector, most)
        )
        return list(dict.fromkeys(found))

    def cosine(self, tier: str, vector: Scores, numbers: Sequence[int]) -> dict[int, float]:
        """The cosines of some lessons to a text's vector, by number."""
        return self._tiers[tier].some(vector, numbers)


class _Vectors:
    """The vectors of one tier, in rows that have room for more."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}
        self._numbers: list[int] = []
        self._filled: set[int] = set()
        self._rows = Directions.none(0, 0)

    def __len__(self) -> int:
        return len(self._filled)

    def put(self, rows: Sequence[tuple[int, bytes]]) -> None:
        if not rows:
            return
        made = unpacked([part for _, part in rows])
        for number, _ in rows:
            if number not in self._places:
                self._places[number] = len(self._numbers)
                self._numbers.append(number)
        self._reserve(len(self._numbers), made.shape[1])
        self._rows.put([self._places[number] for number, _ in rows], made)
        self._filled.update(number for number, _ in rows)

    def clear(self, numbers: Sequence[int]) -> None:
        """Their texts are others now."""
        gone = self._filled.intersection(numbers)
        self._rows.scales[[self._places[number] for number in gone]] = 0.0
        self._filled -= gone

    def best(self, vector: Scores, most: int) -> list[int]:
        scores = self._used().similar(Directions.of(vector[None]))
        is_more = len(scores) > most
        chosen = np.argpartition(-scores, most)[:most] if is_more else np.arange(len(scores))
        return [self._numbers[place] for place in chosen[np.argsort(-scores[chosen])]]

    def some(self, vector: Scores, numbers: Sequence[int]) -> dict[int, float]:
        known = [number for number in numbers if number in self._filled]
        if not known:
            return {}
        rows = self._rows.floats([self._places[number] for number in known])
        return dict(zip(known, (rows @ vector).tolist(), strict=True))

    def _used(self) -> Directions:
        count = len(self._numbers)
        return Directions(self._rows.numbers[:count], self._rows.scales[:count])

    def _reserve(self, rows: int, width: int) -> None:
        if rows > len(self._rows):
            larger = Directions.none(max(64, 2 * rows), width)
            larger.numbers[: len(self._rows), : self._rows.width] = self._rows.numbers
            larger.scales[: len(self._rows)] = self._rows.scales
            self._rows = larger
