"""Tests that are run for repairs: how long they may take, and when enough is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Unpack

from gateline.model import Origin, Problem
from gateline.services.tests.options import RunOptions
from gateline.services.tests.run import Collection, CollectionError, Run
from gateline.session.repairs.tests import RepairTests
from gateline.testing.result import Ending, Failure, Result

TEST = "test_shop.py::test_total"
PROBLEM = Problem(Origin.RUN, "KeyError", "'x'", "shop.py", tests=(TEST,))


@dataclass
class Runner:
    """Answers with runs made by hand, each of which takes some seconds by a clock."""

    runs: list[tuple[float, Run]]
    collection: Collection | None = None
    asked: list[RunOptions] = field(default_factory=list)
    clock: float = 0.0

    async def run(self, ids: Sequence[str] | None, overlay: object, **options: Unpack[RunOptions]) -> Run:
        self.asked.append(options)
        seconds, run = self.runs.pop(0)
        self.clock += seconds
        self.collection = self.collection or Collection()
        return run

    async def stop(self) -> None:
        """Nothing was started."""


async def allowed() -> bool:
    return True


async def totals(*runs: tuple[float, Run]) -> list[float | None]:
    """The seconds that each of these runs was given; None for what the runner has by itself."""
    runner = Runner(list(runs))
    tests = RepairTests(runner, allowed, now=lambda: runner.clock)
    for _ in runs:
        await tests.of_problem(PROBLEM, {})
    return [one["limits"].total if "limits" in one else None for one in runner.asked]


def ended(ending: Ending = Ending.PASSED, **more: object) -> Run:
    return Run(results=(Result(TEST, ending),), **more)  # type: ignore[arg-type]


async def test_a_run_may_take_a_few_times_as_long_as_the_longest_that_ended() -> None:
    runs = [(seconds, ended()) for seconds in (9.0, 0.5, 0.2, 0.1)]
    assert await totals(*runs) == [None, None, 4.5, 4.5]


async def test_starting_collecting_and_what_was_cut_off_say_nothing_of_that() -> None:
    late = ended(Ending.TIMEOUT), ended(left=("test_shop.py::test_more",)), ended(recollected="shop.py")
    assert await totals((9.0, ended()), *((5.0, run) for run in late), (0.1, ended())) == [None] * 5


async def test_what_a_few_tests_take_limits_no_run_of_others() -> None:
    runner = Runner([(0.1, ended()), (0.1, ended()), (4.0, ended()), (0.1, ended())])
    tests = RepairTests(runner, allowed, now=lambda: runner.clock)
    for _ in range(2):
        await tests.of_problem(PROBLEM, {})
    for _ in range(2):
        await tests.after(None, {}, {})
    assert ["limits" in one for one in runner.asked] == [False, False, False, True]


async def test_the_first_own_test_that_fails_decides() -> None:
    runner = Runner([(0.1, ended(Ending.FAILED)), (0.1, ended())])
    tests = RepairTests(runner, allowed)
    await tests.of_problem(PROBLEM, {})
    await tests.after((TEST,), {}, {})
    assert [one.get("until_failure") for one in runner.asked] == [True, None]


async def test_what_kept_all_tests_from_being_collected_is_a_problem_of_all() -> None:
    raised = Problem(Origin.RUN, "NameError", "name 'x' is not defined", "conftest.py")
    error = CollectionError("", Failure(raised, "NameError: name 'x' is not defined"))
    ran = await RepairTests(Runner([(0.1, Run(errors=(error,)))]), allowed).of_problem(PROBLEM, {})
    assert (ran.problems, ran.failed, ran.is_late) == ((raised,), frozenset(), True)
