"""A verdict that somebody asked for is replaced by one that knows other things, and by no other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from gateline.model import (
    Change,
    Decision,
    Evaluation,
    Level,
    Outcome,
    Progress,
    Score,
    State,
    Status,
    TestRun,
)
from gateline.session.judge.gathering import Gathering
from gateline.session.judge.request import Request
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live.documents import Documents
from gateline.session.tests.tested import Tested
from gateline.session.types.types import Typed

CHANGE = Change("base", "HEAD", limits=("something",))
DECISION = Decision(Outcome.CONTINUE, Status.PASS)


def evaluation(level: Level) -> Evaluation:
    return Evaluation(level, Progress.INFERRED, "base", "HEAD", Score(100, 100, 1.0), DECISION)


@dataclass
class Tools:
    """All that a verdict is made of, for a change that can be replaced; types come when they are let go."""

    change: Change = CHANGE
    tested: Tested = field(default_factory=Tested)
    types: asyncio.Event = field(default_factory=asyncio.Event)

    def __getattr__(self, name: str) -> Any:
        return self  # worktree, runs, checking, judging and its surroundings are this, too

    def known_change(self, bases: object, buffers: object) -> Change:
        return self.change

    def importers(self, change: Change) -> list[object]:
        return []

    async def known(self, change: Change, importers: object = None) -> Tested | Typed:
        if importers is None:
            return self.tested
        await self.types.wait()
        return Typed()

    def texts(self, buffers: object) -> dict[str, str]:
        return {}

    async def evaluate(self, request: Request, tell: object) -> Evaluation:
        return evaluation(request.level)


class Desk:
    def __init__(self) -> None:
        self.tools = Tools()
        self.verdicts = Verdicts(lambda _: None)
        self.gathering = Gathering(Documents(), self.verdicts)

    def ask(self, level: Level = Level.FINAL) -> None:
        asked = evaluation(level)
        self.verdicts.asked(asked, self.tools.change, self.tools.tested)
        self.verdicts.take(asked)

    async def live(self, level: Level = Level.EARLY) -> Evaluation | None:
        self.tools.types.set()
        return await self.gathering.known(self.tools, level, Progress.INFERRED)  # type: ignore[arg-type]


async def test_it_holds_for_the_same_change_and_tests() -> None:
    desk = Desk()
    assert await desk.live() is not None
    desk.ask()
    assert await desk.live() is None


async def test_it_holds_against_one_that_was_under_way() -> None:
    desk = Desk()
    tools: Any = desk.tools
    before = asyncio.create_task(desk.gathering.known(tools, Level.EARLY, Progress.INFERRED))
    await asyncio.sleep(0.05)
    desk.ask()
    desk.tools.types.set()
    assert await before is None


async def test_another_change_an_edit_and_other_tests_replace_it() -> None:
    desk = Desk()
    desk.ask()
    desk.verdicts.edited()
    assert await desk.live() is not None
    desk.ask()
    desk.tools.tested = Tested(about=TestRun(State.MEASURED, run=1, total=1))
    assert await desk.live() is not None
    desk.ask()
    desk.tools.change = Change("base", "HEAD", limits=("something else",))
    assert await desk.live() is not None


async def test_an_earlier_checkpoint_holds_against_no_later_one() -> None:
    desk = Desk()
    desk.ask(Level.EARLY)
    assert await desk.live() is None
    assert await desk.live(Level.MIDDLE) is not None
