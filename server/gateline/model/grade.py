"""The grade of a change's performance: how much slower, or larger in memory, it certainly is."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Grade(StrEnum):
    """A is no worse than the base, as far as measuring can tell; F takes at least twice as much.

    Only grades that lie far apart are given (A, B, D, F): measured twice, the same change gets the same.
    """

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"
    F = "F"

    @property
    def points(self) -> float:
        """0-100, as the value of the dimension."""
        return _POINTS[self]

    @property
    def meaning(self) -> str:
        """What it says of the tests of the change, for people."""
        return _MEANINGS[self]


_POINTS: Mapping[Grade, float] = MappingProxyType(
    {Grade.A: 100.0, Grade.B: 90.0, Grade.C: 80.0, Grade.D: 60.0, Grade.E: 40.0, Grade.F: 0.0}
)
_MEANINGS: Mapping[Grade, str] = MappingProxyType(
    {
        Grade.A: "no slower than the base",
        Grade.B: "some tests are slower than at the base",
        Grade.C: "at least 1.1 times the base",
        Grade.D: "at least 1.25 times the base",
        Grade.E: "at least 1.5 times the base",
        Grade.F: "at least 2 times the base",
    }
)
