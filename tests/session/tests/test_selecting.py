"""Tests that keep failing run again by themselves only where what they execute says nothing of it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from gateline.model import Change, State, TestRun
from gateline.model.problem import Frame, Origin, Problem
from gateline.services.tests.run import Collection
from gateline.session.tests import unrun
from gateline.session.tests.selecting import Selecting, Wanted, Which
from gateline.session.tests.services import BookService
from gateline.testing.reason import Cause, Reason
from gateline.testing.result import Ending, Failure, Item, Result
from gateline.testing.selection import Chosen

ITEM = Item("test_cart.py::test_add", "test_cart.py", 0, "test_add")
NOTHING = Change("0" * 40, "HEAD", ())


class Book:
    """Knows one test, which failed."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure

    async def collected(self, collection: Collection, overlay: Any) -> None: ...

    async def select(self, *_: Any) -> tuple[Chosen, ...]:
        return (Chosen(ITEM.id, (Reason(Cause.FAILED),)),)

    async def results(self) -> tuple[Result, ...]:
        return (Result(ITEM.id, Ending.ERROR, failure=self.failure),)


IN_A_FIXTURE = Failure(
    Problem(Origin.RUN, "ResourceWarning", "unclosed", frames=(Frame("conftest.py", 3, "shop"),)), ""
)
NOWHERE = Failure(Problem(Origin.RUN, "ResourceWarning", "unclosed"), "", "setup")
UNEXPECTED = Failure(Problem(Origin.RUN, "", "[XPASS(strict)] known"), "", unexpected=True)


def selecting_after(failure: Failure) -> Selecting:
    selecting = Selecting(cast("BookService", Book(failure)), lambda: (), float("inf"))
    selecting.lasting = frozenset({ITEM.id})
    return selecting


async def planned(selecting: Selecting, collection: Collection) -> list[str] | None:
    wanted = Wanted(Which.AFFECTED, again=False)
    return (await selecting.plan(collection, {}, NOTHING, wanted)).ids


@pytest.mark.parametrize(
    ("failure", "runs"),
    [
        pytest.param(IN_A_FIXTURE, [], id="in a fixture: as long as nothing is edited"),
        pytest.param(NOWHERE, [ITEM.id], id="nowhere: it may be what an earlier test left behind"),
        pytest.param(UNEXPECTED, [], id="expected to fail: what it executes says why it passed"),
    ],
)
async def test_what_failed_twice_is_run_again(failure: Failure, runs: list[str]) -> None:
    assert await planned(selecting_after(failure), Collection((ITEM,))) == runs


async def test_what_failed_twice_among_other_settings_is_run_again() -> None:
    selecting = selecting_after(UNEXPECTED)
    assert await planned(selecting, Collection((ITEM,), surroundings="xfail_strict = false")) == [ITEM.id]
    selecting.lasting = frozenset({ITEM.id})
    assert await planned(selecting, Collection((ITEM,), surroundings="xfail_strict = false")) == []


class Fresh(Book):
    """Knows how long one test takes; another was never measured."""

    def __init__(self, seconds: float, reason: Reason) -> None:
        self.seconds, self.reason = seconds, reason

    async def select(self, *_: Any) -> tuple[Chosen, ...]:
        return (Chosen("test_cart.py::test_new", (self.reason,)),)

    async def results(self) -> tuple[Result, ...]:
        return (Result(ITEM.id, Ending.PASSED, self.seconds),)


@pytest.mark.parametrize(
    ("seconds", "reason", "runs", "left"),
    [
        pytest.param(1.0, Reason(Cause.NEW), 1, 0, id="what was never measured runs"),
        pytest.param(9.0, Reason(Cause.NEW), 0, 1, id="where that takes too long, it is counted"),
        pytest.param(9.0, Reason(Cause.UNMEASURED, "cart.py"), 1, 0, id="what imports the change runs"),
    ],
)
async def test_what_was_never_measured(seconds: float, reason: Reason, runs: int, left: int) -> None:
    selecting = Selecting(cast("BookService", Fresh(seconds, reason)), lambda: (), 5.0)
    plan = await selecting.plan(Collection((ITEM,)), {}, NOTHING, Wanted(Which.AFFECTED))
    assert (len(plan.ids or ()), plan.unmeasured) == (runs, left)


def test_tests_that_were_never_measured_make_a_verdict_stale() -> None:
    about = unrun.unmeasured(TestRun("affected", 1, 3), 2)
    assert (about.state, about.reason) == (
        State.STALE,
        "2 tests were never run with coverage, so the change may affect them",
    )
