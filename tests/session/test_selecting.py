"""Tests that keep failing run again by themselves only where what they execute says nothing of it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from gateline.model import Change
from gateline.model.problem import Frame, Origin, Problem
from gateline.services.tests.run import Collection
from gateline.session.selecting import Selecting, Wanted, Which
from gateline.session.test_services import BookService
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


@pytest.mark.parametrize(
    ("frames", "runs"),
    [
        pytest.param((Frame("conftest.py", 3, "shop"),), [], id="in a fixture: as long as nothing is edited"),
        pytest.param((), [ITEM.id], id="nowhere: it may be what an earlier test left behind"),
    ],
)
async def test_what_failed_twice_is_run_again(frames: tuple[Frame, ...], runs: list[str]) -> None:
    failure = Failure(Problem(Origin.RUN, "ResourceWarning", "unclosed", frames=frames), "", "setup")
    selecting = Selecting(cast("BookService", Book(failure)), lambda: (), float("inf"))
    selecting.lasting = frozenset({ITEM.id})
    plan = await selecting.plan(Collection((ITEM,)), {}, NOTHING, Wanted(Which.AFFECTED, again=False))
    assert plan.ids == runs
