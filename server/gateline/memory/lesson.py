"""A lesson: what was learned, where it belongs, who said so, and its versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Outcome(StrEnum):
    """What became of a note."""

    NOOP = "noop"
    """It is known already."""
    UPDATE = "update"
    """It is the new version of a lesson of the same subject."""
    CREATE = "create"
    """It is a new lesson."""


class Source(StrEnum):
    """Who or what a lesson comes from."""

    PERSON = "person"
    AGENT = "agent"
    EVAL = "eval"
    REGRESSION = "regression"
    WAIVER = "waiver"
    FIX = "fix"


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a lesson is about; empty where it is about nothing in particular."""

    file: str = ""
    """Relative to the root of the workspace."""
    symbol: str = ""
    """A function or class, as `Cart.total`."""
    rule: str = ""
    """A code, as `GTL301`, or one of another tool, as `arg-type`."""

    def __bool__(self) -> bool:
        return bool(self.file or self.symbol or self.rule)

    def __str__(self) -> str:
        place = ":".join(filter(None, (self.file, self.symbol)))
        return " ".join(filter(None, (self.rule, place)))

    def contradicts(self, other: Anchor) -> bool:
        """Whether both name a file, a symbol or a rule, and not the same one."""
        pairs = ((self.file, other.file), (self.symbol, other.symbol), (self.rule, other.rule))
        return any(mine and theirs and mine != theirs for mine, theirs in pairs)

    def adds_to(self, other: Anchor) -> bool:
        """Whether it names what `other` leaves open."""
        pairs = ((self.file, other.file), (self.symbol, other.symbol), (self.rule, other.rule))
        return any(mine and not theirs for mine, theirs in pairs)

    def over(self, other: Anchor) -> Anchor:
        """The same, with what it leaves open taken from `other`."""
        return Anchor(self.file or other.file, self.symbol or other.symbol, self.rule or other.rule)


NOWHERE = Anchor()


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody wants to be remembered."""

    text: str
    tags: tuple[str, ...] = ()
    anchor: Anchor = NOWHERE
    source: Source = Source.PERSON
    detail: Mapping[str, object] = field(default_factory=dict)
    """Where it comes from, as a branch, a task, an evaluation."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is remembered now. Times have a time zone."""

    id: str
    version: int
    note: Note
    created_at: datetime
    updated_at: datetime
    uses: int = 0
    """How often it was handed out."""
    helped: int = 0
    """How often somebody said that it helped."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a lesson said from some time on."""

    number: int
    at: datetime
    note: Note
    reason: str = ""
    """Why it took the place of the one before it; empty for the first."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a note, and why."""

    outcome: Outcome
    lesson: Lesson
    reason: str
    superseded: Version | None = None
    """The version whose place it took."""
