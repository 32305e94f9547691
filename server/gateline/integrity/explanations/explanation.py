"""Explanations as values, and the ledger of those that were asked while one change was judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

S = TypeVar("S")
"""What an explanation is asked about."""


@dataclass(frozen=True)
class Explanation(Generic[S]):
    """An honest reason for which something that a rule looks at is no finding."""

    name: str
    """Unique among all tables, as in `--ablate`."""
    doc: str
    """A clause that goes on after "because": why it is no finding."""
    holds: Callable[[S], bool]


@dataclass(frozen=True)
class Table(Generic[S]):
    """The explanations that one question is put to, in order; the first that holds ends it."""

    question: str
    """What happened, as a clause: "a check is no longer made by its test"."""
    codes: tuple[str, ...]
    """The findings that there may be where none holds."""
    rows: tuple[Explanation[S], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where it happened, and what it was."""

    path: str
    line: int
    """The first is 1."""
    text: str
    is_of_base: bool = True
    """Whether the line is one of the base, and not one of now."""


@dataclass(frozen=True, slots=True)
class Considered:
    """One question, and what was said to it."""

    table: Table[Any]
    place: Place
    asked: tuple[Explanation[Any], ...]
    """The explanations that did not hold, in the order in which they were asked."""
    held: Explanation[Any] | None = None
    """The one that held; None where none did."""


@dataclass
class Ledger:
    """Asks explanations, and remembers each question of one change."""

    without: frozenset[str] = frozenset()
    """Names of explanations that are not asked: they explain nothing."""
    considered: list[Considered] = field(default_factory=list)

    def explains(self, table: Table[S], subject: S, place: Place) -> bool:
        """Return whether an explanation of the table holds, and remember which was asked."""
        asked: list[Explanation[Any]] = []
        for row in table.rows:
            if row.name in self.without:
                continue
            if row.holds(subject):
                self.considered.append(Considered(table, place, tuple(asked), row))
                return True
            asked.append(row)
        self.considered.append(Considered(table, place, tuple(asked)))
        return False
