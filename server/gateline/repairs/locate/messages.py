"""What messages of Python 3.8 to 3.14 and of type checkers say, by fields and from tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gateline.model import Problem
from gateline.repairs.tables import rows


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say something: the types of problems that say it, and how."""

    says: str
    """What is said, in kebab-case."""
    types: frozenset[str]
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Saying:
    """What a message says, with its parts by name."""

    says: str
    parts: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        """A part of the message; "" when it was not there."""
        return self.parts.get(name, "")


def wording(says: str, types: str, pattern: str) -> Wording:
    """A row of the table."""
    return Wording(says, frozenset(types.split()), re.compile(pattern, re.DOTALL))


def wordings(name: str) -> tuple[Wording, ...]:
    """The table in a file of rows; a row `@name` gives a name to several types of problems."""
    groups = {row[0].removeprefix("@"): row[1] for row in rows(name) if row[0].startswith("@")}
    told = (row for row in rows(name) if not row[0].startswith("@"))
    return tuple(
        wording(says, groups.get(types, types.replace(",", " ")), text) for says, types, text in told
    )


def understand(problem: Problem, table: Iterable[Wording]) -> Saying | None:
    """The first row that fits a problem."""
    for row in table:
        if problem.type in row.types and (match := row.pattern.search(problem.message)):
            parts = {name: value for name, value in match.groupdict().items() if value is not None}
            return Saying(row.says, parts)
    return None


def types_of(table: Iterable[Wording]) -> frozenset[str]:
    """Every type of problem that a table knows."""
    return frozenset(name for row in table for name in row.types)
