"""Words of the matrix: sources, faults, and what a cell plans and expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gateline_dev.truth.workbench import Workbench


class Source(StrEnum):
    """What a verdict is made of."""

    PARSER = "parser"
    TYPES = "types (mypy)"
    TY = "types (ty)"
    TESTS = "tests"
    COVERAGE = "coverage"
    BANDIT = "bandit"
    SECRETS = "secrets"
    COMPLEXITY = "complexity"
    DOCUMENTATION = "documentation"
    DUPLICATION = "duplication"
    INTEGRITY = "integrity"
    GIT = "git and base"
    SETTINGS = "settings"


class Fault(StrEnum):
    """How a source can fail."""

    MISSING = "missing"
    CRASHES = "crashes"
    HANGS = "hangs"
    PARTIAL = "partial answer"
    STALE = "stale"
    EMPTY = "empty input"
    INTERPRETER = "wrong interpreter"


class Expected(StrEnum):
    """What the honest change may get. The breaking one is never accepted, whatever fails."""

    NOT_ACCEPTED = "not accepted, the reason named"
    """A required source did not answer."""
    CONDITIONS = "on conditions at most, the reason named"
    """A source that is not required did not answer."""
    JUDGED = "judged as without it"
    """Nothing is taken away by this."""
    MISTAKE = "exit code 2, the reason named"
    """The settings cannot be read."""


WORDS: Mapping[Source, str] = {
    Source.PARSER: r"parser|syntax",
    Source.TYPES: r"mypy|\btypes?\b",
    Source.TY: r"\bty\b|\btypes?\b",
    Source.TESTS: r"\btests?\b|pytest",
    Source.COVERAGE: r"coverage",
    Source.BANDIT: r"bandit|security",
    Source.SECRETS: r"secret",
    Source.COMPLEXITY: r"complexity",
    Source.DOCUMENTATION: r"documentation",
    Source.DUPLICATION: r"duplicat|clones",
    Source.INTEGRITY: r"integrity",
    Source.GIT: r"\bgit\b|\bbase\b|shallow",
    Source.SETTINGS: r"settings?|gateline\.toml|pyproject\.toml",
}
"""How a door may name a source."""


@dataclass(frozen=True)
class Plan:
    """How a fault is brought about, and what is expected then."""

    expected: Expected
    how: str
    """For the page: what is done from outside."""
    rules: tuple[Mapping[str, Any], ...] = ()
    """For `hook/sitecustomize.py`."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Settings (`GATELINE_…`) and other variables."""
    without: tuple[str, ...] = ()
    """Packages that the project's interpreter lacks."""
    base: Mapping[str, str] = field(default_factory=dict)
    """Files of the base."""
    change: Mapping[str, bytes] = field(default_factory=dict)
    """Files that both changes have besides."""
    breaking: Mapping[str, bytes] = field(default_factory=dict)
    """The breaking change, where the usual one does not show the fault."""
    arrange: Callable[[Workbench], Mapping[str, str]] | None = None
    """Done last before gateline is asked; more variables."""
    prime: bool = False
    """Whether the base was judged before, with the same caches."""
    named: str = ""
    """How the reason is named, where that is not by the source: a regular expression."""


@dataclass(frozen=True)
class Cell:
    """One source with one fault."""

    source: Source
    fault: Fault
    plan: Plan | None
    why_not: str = ""
    """Why the fault cannot happen, where there is no plan."""

    @property
    def id(self) -> str:
        """As it is written on the command line."""
        return f"{self.source.name.lower()}:{self.fault.name.lower()}"
