"""Which lines and branches of one content can be executed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from gateline.model.measure import State
from gateline.testing.trace import Arc


@dataclass(frozen=True, slots=True)
class Exit:
    """One way on from a line that has several."""

    arc: Arc
    missing: str
    """What can be said when it was never taken, with lines counted from 1:
    `line 4 didn't jump to line 6 because the condition on line 4 was always true`."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What coverage.py counts in one content. Lines are zero-based."""

    statements: frozenset[int]
    """First lines of statements that can be executed, without the excluded ones."""
    exits: tuple[Exit, ...] = ()
    """Of all lines with more than one exit."""
    excluded: frozenset[int] = frozenset()
    first: Mapping[int, int] = field(default_factory=dict)
    """The first line of a statement, for its other lines."""
    jumps: Mapping[Arc, Arc | None] = field(default_factory=dict)
    """Steps that stand for another one, or (None) for none: the way out of a `with` goes over its head."""
    partial: frozenset[int] = frozenset()
    """Lines whose exits all count as taken, as with `# pragma: no branch`."""

    def executed(self, lines: Iterable[int]) -> frozenset[int]:
        """The statements that these executed lines belong to."""
        return frozenset(self.first.get(line, line) for line in lines) & self.statements

    def taken(self, arcs: Iterable[Arc]) -> frozenset[Arc]:
        """The exits that these executed steps took."""
        steps: Iterable[Arc] = arcs
        # Twice, as coverage does: what a step stands for may itself stand for another one.
        for _ in range(2):
            jumped = (self.jumps.get(arc, arc) for arc in steps)
            steps = [(self._line(arc[0]), self._line(arc[1])) for arc in jumped if arc is not None]
        return frozenset(steps) & {way.arc for way in self.exits}

    def exits_of(self, lines: Collection[int]) -> list[Exit]:
        """The exits of these lines, which are first lines of statements."""
        return [way for way in self.exits if way.arc[0] in lines]

    def _line(self, line: int) -> int:
        if line >= 0:
            return self.first.get(line, line)
        # The outside of code is counted from 1, as a negative number.
        return -1 - self.first.get(-1 - line, -1 - line)


@dataclass(frozen=True, slots=True)
class NoOutline:
    """Why nobody can tell what can be executed in one text."""

    reason: str
    state: State = State.NO_DATA
    """`failed` where that is no fault of the text."""


Outlined = Outline | NoOutline
"""What can be executed in one text, or why that is not known."""
