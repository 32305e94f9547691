"""What is found out about one candidate, before it is ranked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
