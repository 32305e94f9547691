"""What is found out about one candidate, before it is ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.evals.judgement import Answer, Question
from gateline.model import Evaluation
from gateline.store.candidates.trees import Given
from gateline.testing.result import Ending


@dataclass(frozen=True, slots=True)
class Suite:
    """How the tests of one tree ended."""

    endings: Mapping[str, Ending] = field(default_factory=dict)
    """By identifier; who did not run is not there."""
    collected: frozenset[str] = frozenset()
    reason: str = ""
    """Why nothing, or not all, ran; empty when all is well."""
    refused_by: str = ""
    """The first test, in the order of the run, that passes at the base and not here, where that is enough to
    refuse it: what comes after may not have run."""

    @property
    def passing(self) -> frozenset[str]:
        """The tests that pass."""
        return frozenset(test for test, ending in self.endings.items() if ending is Ending.PASSED)


@dataclass(frozen=True, slots=True)
class Measured:
    """All of one candidate."""

    given: Given
    evaluation: Evaluation | None = None
    """What the gates say of it without running anything; None where they could not."""
    problem: str = ""
    """Why they could not."""
    suite: Suite | None = None
    """None where tests were not run."""
    lint: tuple[str, ...] | None = None
    """What the linter says of it and not of the base; None: there is none, or it was not measured."""
    build: tuple[str, ...] | None = None
    """Why it does not build though the base does; None: not measured."""
    api: tuple[str, ...] | None = None
    """What it breaks of the interface of packages; None: not measured."""
    behaviour: tuple[str | None, ...] | None = None
    """What its changed functions answer to the same inputs; None: not measured."""
    blobs: Mapping[str, str] = field(default_factory=dict)
    """git's names of the test files that it changes, by path from the workspace."""
    text: str = ""
    """What it adds and changes in Python files."""
    planned: Mapping[str, bool] = field(default_factory=dict)
    """Whether it changes each path that the plan of the task names; empty without a plan."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What was said of one candidate."""

    name: str
    tree: str
    question: Question
    answer: Answer

    @property
    def counted(self) -> Mapping[str, tuple[float, float]]:
        """The scores that count, with their confidence."""
        judged = self.answer.judgements
        return {one.criterion: (one.score, one.confidence) for one in judged if one.confidence > 0}


def refused(suite: Suite, base: Suite) -> Suite:
    """A suite with the test that refuses it; the same whether it ran to its end or not."""
    if suite.refused_by or suite.reason or base.passing - suite.collected:
        return suite
    told = (test for test, ending in suite.endings.items() if is_lost(test, ending, base.passing))
    unheard = sorted((base.passing & suite.collected) - suite.endings.keys())
    return replace(suite, refused_by=next(told, next(iter(unheard), "")))


def is_lost(test: str, ending: Ending, passing: frozenset[str]) -> bool:
    """Whether a test that passes at the base does not with a candidate."""
    return test in passing and ending is not Ending.PASSED


def is_settled(candidates: Sequence[Measured], base: Suite | None) -> bool:
    """Whether nothing failed, or ended by its time, that another comparison could find out."""
    suites = [base, *(one.suite for one in candidates)]
    late = (Ending.TIMEOUT, Ending.CRASHED)
    return not any(one.problem for one in candidates) and not any(
        suite is not None and (suite.reason or any(ending in late for ending in suite.endings.values()))
        for suite in suites
    )
