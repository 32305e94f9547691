"""Points in tenths: rounded so that the parts that are shown add up to the whole that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def tenths(value: Fraction | float) -> int:
    """The nearest number of tenths; a half goes to the even one."""
    return round(Fraction(value) * 10)


def apportioned(parts: Sequence[Fraction]) -> list[int]:
    """Whole tenths for each of `parts` (none negative), which add up to `tenths(sum(parts))` exactly.

    Each part is rounded down; the tenths that are then missing go to the largest remainders, of equal
    ones to the first (the method of the largest remainder).
    """
    whole = [int(part * 10) for part in parts]
    missing = tenths(sum(parts, Fraction())) - sum(whole)
    by_remainder = sorted(range(len(parts)), key=lambda i: (whole[i] - parts[i] * 10, i))
    for index in by_remainder[:missing]:
        whole[index] += 1
    return whole
