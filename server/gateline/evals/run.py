"""A run of a suite: its cases, its score, and what is expected of suites of its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

PASSED = 0.5
"""The score from which on a case counts as passed."""


class Kind(StrEnum):
    """How a suite judges."""

    EXACT = "exact"
    """An answer is right or wrong."""
    OPERATION = "operation"
    """What an operation made is looked at by conditions."""
    JUDGE = "judge"
    """A model says how good an answer is."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of a kind of suite, as shares."""

    target: float
    drop: float
    """The share of a score whose loss is a regression."""


EXPECTED: Mapping[Kind, Expectation] = MappingProxyType(
    {
        Kind.EXACT: Expectation(0.95, 0.10),
        Kind.OPERATION: Expectation(0.80, 0.15),
        Kind.JUDGE: Expectation(0.70, 0.20),
    }
)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came out of one case."""

    name: str
    score: float
    """0–1."""
    detail: str = ""
    """What was expected and what came; empty where all is well."""
    measured: bool = True
    """Whether anything is known of it: of what a model was to judge, nothing is where it was not there."""

    @property
    def passed(self) -> bool:
        """Whether it counts as passed."""
        return self.measured and self.score >= PASSED


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a suite. `at` has a time zone."""

    suite: str
    kind: Kind
    at: datetime
    score: float
    """The mean of its cases, 0–1."""
    cases: int
    failed: tuple[str, ...] = ()
    """The names of the cases that did not pass."""
    accepted: bool = False
    """Whether later runs are measured against it."""
    judge: str = ""
    """What judged, where a model did: only runs with the same judge are compared."""
    results: tuple[CaseResult, ...] = field(default=(), compare=False)

    @property
    def unmeasured(self) -> tuple[CaseResult, ...]:
        """The cases of which nothing is known. A run that has any neither passes nor fails by its score."""
        return tuple(result for result in self.results if not result.measured)

    @property
    def reaches_target(self) -> bool:
        """Whether the score is what is expected of its kind."""
        return self.score >= EXPECTED[self.kind].target


def run_of(suite: str, kind: Kind, at: datetime, results: Sequence[CaseResult], judge: str = "") -> Run:
    """A run from what came out of its cases; its score is that of those that were measured, 0 for none.

    Raises ValueError without cases: an empty suite judges nothing.
    """
    if not results:
        raise ValueError(f"the suite {suite} has no cases")
    measured = [result for result in results if result.measured]
    score = sum(result.score for result in measured) / len(measured) if measured else 0.0
    failed = tuple(result.name for result in measured if not result.passed)
    return Run(suite, kind, at, score, len(results), failed, judge=judge, results=tuple(results))
