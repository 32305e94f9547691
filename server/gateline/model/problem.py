"""A reported error, whoever reported it, and what is understood of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateline.model.span import Position, Span


class Family(StrEnum):
    """What kind of repair an error needs."""

    SYNTAX = "syntax"
    TYPE = "type"
    NAME = "name"
    NONE = "none"
    IMPORT = "import"


class Origin(StrEnum):
    """Who reported an error."""

    PARSER = "parser"
    TYPES = "types"
    ANALYZER = "analyzer"
    RUN = "run"
    """A failing test, or a traceback that somebody pasted."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One call on the way to an exception, in a file of the workspace or in a library's."""

    path: str
    """Relative to the workspace when `ours`; otherwise as the traceback has it."""
    line: int
    """Zero-based; -1 when the traceback does not tell."""
    function: str = ""
    text: str = ""
    """The line as the traceback shows it, without indentation."""
    ours: bool = True
    span: Span | None = None
    """The expression that failed, where a runner asked the interpreter (3.11 and later)."""
    marks: tuple[int, int] | None = None
    """The columns of `text` that a traceback marks by `~` and `^`."""
    seen: tuple[tuple[str, str], ...] = ()
    """What its names held when it failed, by type, as far as a runner looked: `total` and `int`,
    `self.rows` and `list`, `rows[]` and `str` for an element. Types of no built-in module are dotted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One reported error. `type` is an exception's name, a type checker's code or a finding's code."""

    origin: Origin
    type: str
    message: str
    path: str = ""
    """Where to look first: the innermost place in the workspace. Empty when none is known."""
    span: Span | None = None
    frames: tuple[Frame, ...] = ()
    """The calls of a run, outermost first, with those in libraries."""
    cause: Problem | None = None
    """The exception during whose handling, or from which, this one was raised."""
    tests: tuple[str, ...] = ()
    """Identifiers of the tests that fail with it."""

    @property
    def line(self) -> int:
        """The zero-based line of the place; 0 when only the file is known."""
        return self.span.start.line if self.span else 0

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """The order of a text: earlier places first."""
        start = self.span.start if self.span else Position(-1, 0)
        return (self.path, start.line, start.column, self.type, self.message)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a repair may start: a span of a document."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a family makes of a problem."""

    problem: Problem
    family: Family
    pattern: str
    """The kind of mistake, in kebab-case, as in `unclosed-bracket`."""
    expected: str = ""
    """What the reporter wanted to see there, as far as it says."""
    actual: str = ""
    """What it saw instead."""
    places: tuple[Place, ...] = ()
    """Where to repair, likeliest first; often not where the error was seen."""
    advice: str = ""
    """What a person has to do, where no edit is a repair."""
