"""Which tests are asked for, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def subset(number: int, ids: Sequence[str], dice: Random) -> list[str]:
    """All tests first; then in turn a part from the middle, any half, a few; shuffled."""
    kinds = (_few, _middle, _half)
    found = list(ids) if number == 0 else kinds[number % len(kinds)](ids, dice)
    dice.shuffle(found)
    return found


def _middle(ids: Sequence[str], dice: Random) -> list[str]:
    start = dice.randrange(len(ids))
    return list(ids[start : start + dice.randint(1, max(2, len(ids) // 2))])


def _half(ids: Sequence[str], dice: Random) -> list[str]:
    return dice.sample(list(ids), max(1, len(ids) // 2))


def _few(ids: Sequence[str], dice: Random) -> list[str]:
    return dice.sample(list(ids), min(len(ids), dice.randint(1, 6)))
