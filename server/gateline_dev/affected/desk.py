"""What an editor does with the tests of a copy: edits that are never saved, affected tests, coverage."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from random import Random
from time import perf_counter, process_time

import psutil

from gateline.model import Change, Document, FileChange
from gateline.services.tests.book import TestBook
from gateline.services.tests.options import TestOptions
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.runner import TestRunner
from gateline.session.tests.base_results import BaseTests
from gateline.session.tests.selecting import Selecting, overlay_of
from gateline.session.tests.testing import Tested, Tests, Wanted, Which
from gateline_dev.affected import cold
from gateline_dev.affected.edits import Edit, anything
from gateline_dev.affected.subjects import Copy

RECOLLECT = "the tests must be collected again"
"""How a reason begins where a runner may not collect, and should."""
AUTOMATIC = Wanted(Which.AFFECTED, again=False)


class Desk:
    """One copy, its unsaved texts, and what is said of them."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.options = TestOptions(copy.root, copy.python, environment=copy.environment)
        self.runner = TestRunner(self.options)
        self.fresh = TestRunner(replace(self.options, cold="to be sure"))
        """Collects anew for each run: what it says of lines is not moved along with any edit."""
        self.selecting = Selecting(TestBook(copy.root), copy.files, float("inf"))
        base = BaseTests(TestRunner(self.options), self.runner)
        self.tests = Tests(self.runner, "", lambda: True, self.selecting, base)
        self.unsaved: dict[str, str] = {}

    def processor_seconds(self) -> float:
        """Used so far by this process, by the runner's, and by those that these waited for."""
        return sum(map(_used_by, self.runner.pids)) + process_time()

    async def cold_seconds(self) -> float:
        """Processor seconds of a cold pytest of all tests, in another copy."""
        before = os.times()
        with cold.written(self.copy, {}) as root:
            await cold.endings(self.copy, root)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    async def begin(self) -> Tested:
        """Run all once, so that everything is known."""
        return await self.tests.of_change(self.change({}), {}, Wanted(Which.ALL))

    def change(self, texts: Mapping[str, str]) -> Change:
        """What these texts change."""
        rows = [
            FileChange.between(Document(path, self.copy.text(path)), Document(path, texts[path]))
            for path in sorted(texts)
        ]
        return Change("0" * 40, "as distributed", tuple(rows))

    async def said(self, texts: Mapping[str, str], wanted: Wanted = AUTOMATIC) -> tuple[Tested, list[float]]:
        """What tests say of unsaved texts, and the seconds until each result."""
        began, times = perf_counter(), list[float]()
        tested = await self.tests.of_change(
            self.change(texts), {}, wanted, lambda result: times.append(perf_counter() - began)
        )
        return tested, times

    async def endings(self) -> dict[str, str]:
        """What became of every test that there is now, whenever it ran."""
        collection = self.runner.collection
        items = collection.items if collection else ()
        return {test: r.ending.value for test, r in (await self.selecting.standing(items, ())).items()}

    def typed(self, dice: Random) -> Edit | None:
        """One more edit of what is unsaved, or the end of one; None when nothing could be edited."""
        if len(self.unsaved) > 2:
            del self.unsaved[dice.choice(sorted(self.unsaved))]
        path = dice.choice(self.copy.sources())
        edit = anything(path, self.unsaved.get(path, self.copy.text(path)), dice)
        if edit is not None:
            self.unsaved[path] = edit.text
        return edit

    async def refusal(self) -> float | None:
        """Seconds until it is known that the unsaved texts need a new collection; None: they need none."""
        if self.runner.collection is None:
            return None
        began = perf_counter()
        # Of a test that there is not: nothing but the question is answered.
        run = await self.runner.run(["?"], self.overlay(), coverage=False, recollect=False)
        return perf_counter() - began if run.reason.startswith(RECOLLECT) else None

    def overlay(self) -> Overlay:
        """The unsaved texts as the runner takes them."""
        return overlay_of(self.change(self.unsaved), {})


def _used_by(pid: int) -> float:
    """Seconds of a process and of all below it; one that ends meanwhile is in its parent's sum."""
    found = 0.0
    with suppress(psutil.NoSuchProcess):
        leader = psutil.Process(pid)
        for process in (*leader.children(recursive=True), leader):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                found += times.user + times.system + times.children_user + times.children_system
    return found


@asynccontextmanager
async def desk(copy: Copy) -> AsyncIterator[Desk]:
    """A desk, ended at the end."""
    made = Desk(copy)
    try:
        yield made
    finally:
        await asyncio.gather(made.tests.stop(), made.fresh.stop())
