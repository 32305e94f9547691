"""How good rankings are: the reciprocal rank of the first answer, and how often there is one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """Of one system on one task."""

    count: int
    mrr: float
    """The mean of 1 / rank, up to rank 10."""
    recall: float
    """The share of questions with an answer among the first 10."""


def rank(rows: Iterable[int], answers: Collection[int], left_out: Collection[int]) -> int | None:
    """The rank of the first answer, from 1; None beyond 10. Rows that are `left_out` do not count."""
    place = 0
    for row in rows:
        if row in left_out:
            continue
        place += 1
        if row in answers:
            return place
        if place == 10:
            return None
    return None


def measured(ranks: Sequence[int | None]) -> Measured:
    """Of the ranks of all questions."""
    count = max(len(ranks), 1)
    return Measured(len(ranks), sum(1 / r for r in ranks if r) / count, sum(1 for r in ranks if r) / count)
