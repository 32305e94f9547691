"""The grade of a change's performance: how much slower, or larger in memory, it certainly is."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Grade(StrEnum):
    """A is no worse than the base, as far as measuring can tell; F takes at least twice as much."""

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
        least = _LEAST.get(self)
        return "no slower than the base" if least is None else f"at least {least:g} times the base"


_POINTS: Mapping[Grade, float] = MappingProxyType(
    {Grade.A: 100.0, Grade.B: 90.0, Grade.C: 80.0, Grade.D: 60.0, Grade.E: 40.0, Grade.F: 0.0}
)
_LEAST: Mapping[Grade, float] = MappingProxyType(
    {Grade.F: 2.0, Grade.E: 1.5, Grade.D: 1.25, Grade.C: 1.10, Grade.B: 1.05}
)
"""From which ratio to the base on a grade is given, the worst first."""


def grade_of(ratio: float) -> Grade:
    """The grade of what takes certainly at least `ratio` times as much as the base."""
    return next((grade for grade, least in _LEAST.items() if ratio >= least), Grade.A)
