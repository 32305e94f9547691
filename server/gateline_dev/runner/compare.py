"""Warm beside cold, and the reason of each difference that has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

from gateline.services.tests.runner import TestRunner
from gateline_dev.runner import warm
from gateline_dev.runner.cold import ColdPytest, Endings
from gateline_dev.runner.subsets import subset


class Reason(StrEnum):
    """Why a test may end otherwise than in a cold run."""

    FLAKY = "two cold runs differ"
    """Nobody can say what is right."""
    COLLECTED = "a cold run that collects all files ends like the warm one"
    """What other files do when they are imported is part of what this test sees, as in a run of all."""
    FOLLOWED = "a cold run followed by coverage ends like the warm one"
    NONE = "none"


@dataclass(frozen=True)
class Difference:
    """One test that ended otherwise."""

    test: str
    warm: str
    cold: str
    reason: Reason


@dataclass
class Compared:
    """One subset of one project's tests."""

    project: str
    seed: int
    number: int
    items: int = 0
    differences: list[Difference] = field(default_factory=list)
    unsaid: str = ""
    """Why not all ran warm."""

    @property
    def wrong(self) -> list[Difference]:
        """Differences without a reason."""
        return [one for one in self.differences if one.reason is Reason.NONE]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def from_json(row: dict[str, Any]) -> Compared:
    """The other way."""
    differences = [Difference(**{**one, "reason": Reason(one["reason"])}) for one in row["differences"]]
    return Compared(**{**row, "differences": differences})


async def compare(
    project: str, seed: int, number: int, runner: TestRunner, cold: ColdPytest, reset: Callable[[], None]
) -> Compared:
    """Run one subset warm and cold. `reset` takes away what cold runs left in the project."""
    if runner.collection is None:
        await runner.discover({})
    collection = runner.collection
    found = Compared(project, seed, number)
    if collection is None or not collection.items:
        found.unsaid = "nothing is collected"
        return found
    ids = list(dict.fromkeys(item.id for item in collection.items))
    wanted = subset(number, ids, Random(f"{seed}:{project}:{number}"))
    shown, found.unsaid = await warm.run(runner, wanted)
    ranks = {test: rank for rank, test in enumerate(ids)}
    ordered = sorted(wanted, key=ranks.__getitem__)
    named = ordered if number else []
    truth = cold.named(named)
    reset()
    found.items = sum(map(len, truth.values()))
    others = list(differing(shown, truth))
    if others:
        found.differences = _explained(others, shown, truth, lambda: cold.named(named), cold, ordered)
        reset()
    return found


def differing(shown: Endings, truth: Endings) -> Iterator[str]:
    """The tests that ended otherwise, or only in one of both."""
    for test in sorted(shown.keys() | truth.keys()):
        if _one(shown.get(test)) != _one(truth.get(test)):
            yield test


def _one(endings: Sequence[str] | None) -> str:
    """What is said of all tests of one identifier: that of the first which failed."""
    told = endings or ("did not run",)
    return next((one for one in told if one.startswith(("failed", "error"))), told[-1])


def _explained(
    tests: list[str],
    shown: Endings,
    truth: Endings,
    again: Callable[[], Endings],
    cold: ColdPytest,
    ordered: Sequence[str],
) -> list[Difference]:
    second = again()
    reasons = dict.fromkeys(set(differing(truth, second)) & set(tests), Reason.FLAKY)
    for reason, followed in ((Reason.COLLECTED, False), (Reason.FOLLOWED, True)):
        left = [test for test in tests if test not in reasons]
        if left:
            other = cold.chosen(ordered, followed=followed)
            still = set(differing(shown, other))
            reasons |= dict.fromkeys((test for test in left if test not in still), reason)
    return [Difference(t, _one(shown.get(t)), _one(truth.get(t)), reasons.get(t, Reason.NONE)) for t in tests]
