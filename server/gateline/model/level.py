"""Checkpoints, and where the knowledge of progress comes from."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """A checkpoint: early (33 %), middle (66 %), final (100 %). Ordered by `rank`."""

    EARLY = "early"
    MIDDLE = "middle"
    FINAL = "final"

    @property
    def rank(self) -> int:
        """0, 1 or 2."""
        return list(Level).index(self)


class Progress(StrEnum):
    """The source that named the checkpoint, best first."""

    SAID = "said"
    COUNTED = "counted"
    INFERRED = "inferred"


def counted(done: int, of: int) -> Level:
    """The checkpoint when so many of all iterations, or items of a list, are done.

    Final after all of them, middle after two thirds, rounded down and at least one; early before.
    """
    if done >= of:
        return Level.FINAL
    return Level.MIDDLE if done >= max(1, 2 * of // 3) else Level.EARLY
