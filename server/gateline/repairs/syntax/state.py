"""A text on the way from a broken one to one that compiles, and how far the search may go."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from gateline.repairs.syntax.judge import Failure
from gateline.repairs.syntax.messages import kind_of
from gateline.repairs.syntax.ranking import Features, cost_of


@dataclass
class Fuel:
    """How much may be parsed, in characters: the same text costs the same on every machine."""

    left: int = 1_500_000

    def burn(self, characters: int) -> bool:
        """Take some; False when there is none left."""
        self.left -= characters + 200
        return self.left > 0


@dataclass(frozen=True)
class Limits:
    """How far a search goes."""

    tried: int = 400
    """Changes at one failure."""
    margin: float = 6.5
    """A change that costs so much more than one that led on is not tried any more."""
    steps: int = 8
    """Changes in one window."""
    looked: int = 12
    """Failures of one window at which changes are tried."""
    windows: int = 12
    """Failures in one text."""
    kept: int = 12
    """Solutions that are compared."""


@dataclass(frozen=True)
class State:
    """A text, why it fails, and what was done to it."""

    text: str
    failure: Failure | None
    features: Features
    patterns: tuple[str, ...] = ()

    @property
    def cost(self) -> float:
        """What the changes cost."""
        return cost_of(self.features)

    @property
    def price(self) -> float:
        """Their prices alone."""
        return self.features.get("price", 0.0)

    def then(self, text: str, failure: Failure | None, features: Features, *patterns: str) -> State:
        """The state after more changes."""
        return State(text, failure, plus(self.features, features), (*self.patterns, *patterns))


class Queue:
    """States in the order in which they are looked at; of two that are as good, the one further on first."""

    def __init__(self, first: State) -> None:
        self._order = count()
        self._heap = [(0.0, 0, next(self._order), first)]

    def __bool__(self) -> bool:
        return bool(self._heap)

    def take(self) -> tuple[float, int, State]:
        """How much dearer than the best way it is, how many failures were before it, and the state."""
        rank, depth, _, state = heapq.heappop(self._heap)
        return rank, -depth, state

    def put(self, rank: float, depth: int, states: Iterable[State]) -> None:
        """What follows from a state of that rank.

        The best is as good as the state was: what had to be repaired anyway makes no way dearer.
        """
        rows = list(states)
        best = min((state.cost for state in rows), default=0.0)
        for state in rows:
            heapq.heappush(self._heap, (rank + state.cost - best, -depth, next(self._order), state))


def plus(*rows: Features) -> Features:
    """The sums of features."""
    total: Features = {}
    for row in rows:
        for name, value in row.items():
            total[name] = total.get(name, 0.0) + value
    return total


_STRINGS = {"string", "triple"}


def moved_on(old: str, failure: Failure, new: str, after: Failure) -> bool:
    """Whether less of the text is left behind the failure than before, or it is of a later kind."""
    if after.is_late != failure.is_late:
        return after.is_late
    was, now = kind_of(failure), kind_of(after)
    if (was in _STRINGS) != (now in _STRINGS):
        return was in _STRINGS
    if was == now == "unclosed":
        return len(new) - after.offset != len(old) - failure.offset
    return len(new) - after.offset < len(old) - failure.offset
