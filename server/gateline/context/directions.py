"""Vectors of length 1 with a byte for each number: a question is compared with all of them.

What is read from memory decides how long that takes, and this is a quarter of what floats of 32 bits are. The
cosines are those of the floats but for about a thousandth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import simsimd
from numpy.typing import NDArray

from gateline.context.arrays import Mask, Scores

_LARGEST = 127
_AT_ONCE = 512
"""Rows: what is made on the way takes several times as much memory as what is kept."""


@dataclass(frozen=True, slots=True)
class Directions:
    """A vector for each row. Rows may be put in later; until then they have none."""

    numbers: NDArray[np.int8]
    """Rows by the width of the vectors."""
    scales: Scores
    """What makes the length of each row 1; 0 for a row that has no vector."""

    @classmethod
    def of(cls, vectors: Scores) -> Directions:
        """Those of vectors of any length; of length 0 is one that is none."""
        made = cls.none(*vectors.shape)
        for start in range(0, len(vectors), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            made.numbers[rows], made.scales[rows] = _in_bytes(vectors[rows])
        return made

    @classmethod
    def none(cls, rows: int, width: int) -> Directions:
        """Rows without vectors."""
        return cls(np.zeros((rows, width), np.int8), np.zeros(rows, np.float32))

    @classmethod
    def joined(cls, parts: Sequence[Directions]) -> Directions:
        """All rows of some, which have one width, in this order."""
        return cls(np.concatenate([p.numbers for p in parts]), np.concatenate([p.scales for p in parts]))

    def __len__(self) -> int:
        return len(self.scales)

    @property
    def width(self) -> int:
        """Of each vector."""
        return int(self.numbers.shape[1])

    @property
    def are_there(self) -> Mask:
        """Which rows have a vector."""
        found: Mask = self.scales > 0
        return found

    def kept(self, mask: Mask) -> Directions:
        """Only some rows."""
        return Directions(self.numbers[mask], self.scales[mask])

    def floats(self, rows: Sequence[int]) -> Scores:
        """The vectors of some rows. `of` makes the same of them again."""
        chosen = list(rows)
        found: Scores = self.numbers[chosen].astype(np.float32) * self.scales[chosen, None]
        return found

    def put(self, rows: Sequence[int], vectors: Scores) -> None:
        """Give rows their vectors."""
        made = Directions.of(vectors)
        self.numbers[list(rows)], self.scales[list(rows)] = made.numbers, made.scales

    def similar(self, asked: Directions) -> Scores:
        """The cosine of the only row of `asked` and each of these; 0 for rows without a vector."""
        if not len(self):
            return np.zeros(0, np.float32)
        products = np.asarray(simsimd.cdist(asked.numbers, self.numbers, metric="dot", out_dtype="f32"))
        found: Scores = products[0] * (self.scales * asked.scales[0])
        return found


def _in_bytes(vectors: Scores) -> tuple[NDArray[np.int8], Scores]:
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    factors = np.divide(_LARGEST, largest, out=np.zeros_like(largest), where=largest > 0)
    numbers = np.rint(vectors * factors[:, None]).astype(np.int8)
    lengths = np.sqrt(np.square(numbers, dtype=np.int32).sum(axis=1)).astype(np.float32)
    return numbers, np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
