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
    AGAIN = "a second warm run ends like the cold one"
    """It depends on the clock, and the machine was busy."""
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
    pair = _Pair(runner, cold, reset, wanted, sorted(wanted, key=ranks.__getitem__), is_whole=not number)
    truth = pair.cold_again()
    found.items = sum(map(len, truth.values()))
    found.differences = await pair.differences(shown, truth)
    return found


@dataclass(frozen=True)
class _Pair:
    """Both ways to run one subset."""

    runner: TestRunner
    cold: ColdPytest
    reset: Callable[[], None]
    wanted: Sequence[str]
    ordered: Sequence[str]
    """As they were collected, which is how a warm run orders them."""
    is_whole: bool

    def cold_again(self) -> Endings:
        """As a person asks for them."""
        return self._after(self.cold.named([] if self.is_whole else self.ordered))

    def _after(self, endings: Endings) -> Endings:
        self.reset()
        return endings

    async def differences(self, shown: Endings, truth: Endings) -> list[Difference]:
        """The tests that ended otherwise, each with the first reason that holds."""
        reasons = dict.fromkeys(differing(shown, truth), Reason.NONE)
        for reason in Reason:
            left = {test for test, known in reasons.items() if known is Reason.NONE}
            if left and reason is not Reason.NONE:
                explained = left & await self._explained(reason, shown, truth)
                reasons |= dict.fromkeys(explained, reason)
        return [Difference(t, _one(shown.get(t)), _one(truth.get(t)), why) for t, why in reasons.items()]

    async def _explained(self, reason: Reason, shown: Endings, truth: Endings) -> set[str]:
        """The tests that another run explains in this way."""
        match reason:
            case Reason.FLAKY:
                return set(differing(truth, self.cold_again()))
            case Reason.AGAIN:
                again, _ = await warm.run(self.runner, self.wanted)
                return again.keys() - set(differing(again, truth))
            case _:
                is_followed = reason is Reason.FOLLOWED
                other = self._after(self.cold.chosen(self.ordered, followed=is_followed))
                return other.keys() - set(differing(shown, other))


def differing(shown: Endings, truth: Endings) -> Iterator[str]:
    """The tests that ended otherwise, or only in one of both."""
    for test in sorted(shown.keys() | truth.keys()):
        if _one(shown.get(test)) != _one(truth.get(test)):
            yield test


def _one(endings: Sequence[str] | None) -> str:
    """What is said of all tests of one identifier: that of the first which failed."""
    told = endings or ("did not run",)
    return next((one for one in told if one.startswith(("failed", "error"))), told[-1])
