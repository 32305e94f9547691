"""Which verdicts follow the typing: one that was asked for holds until there is more to know.

Importers that were never checked come in a second one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from gateline.model import (
    Change,
    Decision,
    Dimension,
    Document,
    Evaluation,
    FileSummary,
    Finding,
    Level,
    Outcome,
    Progress,
    Score,
    Span,
    State,
    Status,
    TestRun,
    Weight,
)
from gateline.session.judge.gathering import Gathering
from gateline.session.judge.request import Request
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live.documents import Documents
from gateline.session.live.status import StatusUpdate
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
    importing: list[Document] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)
    """Paths of the importers of which something is known."""
    told: list[list[str]] = field(default_factory=list)
    """The importers with which types were asked, each time."""

    def __getattr__(self, name: str) -> Any:
        return self  # worktree, runs, checking, judging and its surroundings are this, too

    def known_change(self, bases: object, buffers: object) -> Change:
        return self.change

    def importers(self, change: Change) -> list[Document]:
        return self.importing

    def seen(self, importers: list[Document]) -> list[Document]:
        return [document for document in importers if document.path in self.checked]

    async def known(self, change: Change, importers: list[Document] | None = None) -> Tested | Typed:
        if importers is None:
            return self.tested
        self.told.append([document.path for document in importers])
        self.checked.update(self.told[-1])
        await self.types.wait()
        return Typed()

    def texts(self, buffers: object) -> dict[str, str]:
        return {}

    async def evaluate(self, request: Request, tell: object) -> Evaluation:
        return evaluation(request.level)


class Desk:
    def __init__(self) -> None:
        self.tools = Tools()
        self.statuses: list[StatusUpdate] = []
        self.verdicts = Verdicts(self.statuses.append)
        self.gathering = Gathering(Documents(), self.verdicts)

    def ask(self, level: Level = Level.FINAL, look: int = 0) -> None:
        asked = evaluation(level)
        self.verdicts.asked(asked, self.tools.change, self.tools.tested, look)
        self.verdicts.take(asked)

    async def live(self, level: Level = Level.EARLY) -> list[Evaluation]:
        self.tools.types.set()
        return await self.judged(level)

    async def judged(self, level: Level = Level.EARLY) -> list[Evaluation]:
        tools: Any = self.tools
        return [found async for found, _ in self.gathering.known(tools, level, Progress.INFERRED)]


async def test_it_holds_for_the_same_change_and_tests() -> None:
    desk = Desk()
    assert await desk.live()
    desk.ask()
    assert not await desk.live()


async def test_it_holds_against_one_that_was_under_way() -> None:
    desk = Desk()
    before = asyncio.create_task(desk.judged())
    await asyncio.sleep(0.05)
    desk.ask()
    desk.tools.types.set()
    assert not await before
    assert not desk.statuses[-1].working


@pytest.mark.parametrize(("look", "count"), [(1, 0), (-1, 1)], ids=["a newer one", "an older one"])
async def test_one_under_way_yields_to_a_verdict_of_a_newer_change(look: int, count: int) -> None:
    """The look under way has number 0; a verdict that took minutes may be of what was there before it."""
    desk = Desk()
    before = asyncio.create_task(desk.judged())
    await asyncio.sleep(0.05)
    desk.tools.change = Change("base", "HEAD", limits=("something else",))
    desk.ask(look=look)
    desk.tools.types.set()
    assert len(await before) == count


async def test_another_change_an_edit_and_other_tests_replace_it() -> None:
    desk = Desk()
    desk.ask()
    desk.verdicts.edited()
    assert await desk.live()
    desk.ask()
    desk.tools.tested = Tested(about=TestRun(State.MEASURED, run=1, total=1))
    assert await desk.live()
    desk.ask()
    desk.tools.change = Change("base", "HEAD", limits=("something else",))
    assert await desk.live()


async def test_an_earlier_checkpoint_holds_against_no_later_one() -> None:
    desk = Desk()
    desk.ask(Level.EARLY)
    assert not await desk.live()
    assert await desk.live(Level.MIDDLE)


IMPORTERS = [Document("open.py", "import a\n"), Document("closed.py", "import a\n")]


async def test_importers_that_were_never_checked_come_in_a_second_verdict() -> None:
    """They may bring a test framework: a first verdict on httpx once waited 15 s for its tests' imports."""
    desk = Desk()
    desk.tools.importing, desk.tools.checked = IMPORTERS, {"open.py"}
    assert len(await desk.live()) == 2
    assert desk.tools.told == [["open.py"], ["open.py", "closed.py"]]
    assert len(await desk.live()) == 1, "now all are known"


async def test_what_is_shown_of_an_importer_does_not_go_while_it_is_checked_again() -> None:
    desk = Desk()
    desk.tools.importing = IMPORTERS
    span = Span.of(1, 0, 1, 8)
    found = Finding("GTL110", "closed.py", span, "Wrong", Dimension.ERRORS, Weight.COUNTS, "mypy: arg-type")
    desk.verdicts.take(replace(evaluation(Level.EARLY), findings=(found,)))
    assert len(await desk.live()) == 1
    assert desk.tools.told == [["open.py", "closed.py"]]


def test_a_verdict_that_is_not_whole_is_no_step() -> None:
    """Its score falls when importers are known as well: `▼10` would blame an edit that nobody made."""
    told: list[StatusUpdate] = []
    verdicts = Verdicts(told.append)
    changed = replace(evaluation(Level.EARLY), files=(FileSummary("a.py", "modified"),))
    verdicts.announce(replace(changed, score=Score(100, 100, 1.0)))
    assert (told[-1].label, told[-1].working) == ("GL 100 …", True)
    verdicts.take(replace(changed, score=Score(90, 90, 1.0)))
    assert told[-1].label == "GL 90"
    assert len(verdicts.entries()) == 1
