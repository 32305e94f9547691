"""Rows that stand together, in one file or one class: what the best of them has is told of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gateline.context.arrays import Scores
from gateline.context.segment import Segment
from gateline.context.view import View

AROUND = ("file", "class")

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Groups:
    """Which rows stand together."""

    order: Places | None
    """The rows, group by group; None when they are in this order anyway."""
    starts: Places
    """Where each group begins in it."""
    of_row: Places
    """The number of each row's group."""

    @classmethod
    def by(cls, numbers: NDArray[np.integer[Any]]) -> Groups:
        """The rows of equal numbers."""
        order = np.argsort(numbers, kind="stable")
        new = np.diff(numbers[order], prepend=-1) != 0
        of_row = np.zeros(len(numbers), np.intp)
        of_row[order] = np.cumsum(new) - 1
        sorted_already = bool((np.diff(order) == 1).all())
        return cls(None if sorted_already else order, np.flatnonzero(new), of_row)

    @classmethod
    def joined(cls, parts: Sequence[Groups]) -> Groups:
        """Those of one part behind those of the other."""
        if len(parts) == 1:
            return parts[0]
        none = np.zeros(0, np.intp)
        rows = np.cumsum([0, *(len(part.of_row) for part in parts)]).tolist()
        groups = np.cumsum([0, *(len(part.starts) for part in parts)]).tolist()
        orders = [np.arange(len(p.of_row)) if p.order is None else p.order for p in parts]
        return cls(
            None
            if all(part.order is None for part in parts)
            else np.concatenate([o + n for o, n in zip(orders, rows, strict=False)]),
            np.concatenate([none, *(p.starts + n for p, n in zip(parts, rows, strict=False))]),
            np.concatenate([none, *(p.of_row + n for p, n in zip(parts, groups, strict=False))]),
        )

    def best(self, column: Scores) -> Scores:
        """Of each group the best, and never less than nothing."""
        if not len(column):
            return column
        # The bits of numbers above 0 are in the same order as the numbers, and are compared in half the time.
        bits = column.view(np.int32)
        ordered = bits if self.order is None else bits.take(self.order)
        found: Scores = np.maximum(np.maximum.reduceat(ordered, self.starts), np.int32(0)).view(np.float32)
        return found


def groups(view: View) -> dict[str, Groups]:
    """The rows of each file, and of each class."""
    parts = [segment.derived(_groups) for segment in view.segments]
    return {around: Groups.joined([part[around] for part in parts]) for around in AROUND}


def _groups(segment: Segment) -> dict[str, Groups]:
    """By file and by class; what stands outside of classes is one of its own in each file."""
    owners = int(segment.owner_of.max(initial=0)) + 1
    classes = segment.file_of.astype(np.int64) * owners + segment.owner_of
    return {"file": Groups.by(segment.file_of), "class": Groups.by(classes)}
