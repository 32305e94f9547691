"""Asks the context of a package as an editor would: the service, with its processes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from gateline.context.resolved import TIER
from gateline.context.values import Answer, Passage
from gateline.session.context.service import ContextService
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace
from gateline_dev.resolving.truth import Reference

BUDGET = 4_000
DEADLINE = 0.05
_WIDE = 200_000
"""Tokens: nothing is left out for want of room."""
_LONG = 1.9
_ROUNDS = 20


@dataclass
class Found:
    """What was said of the positions of one package."""

    first: int = 0
    in_pack: int = 0
    asked: int = 0
    milliseconds: list[float] = field(default_factory=list)
    late: int = 0
    """Answers that could not resolve everything in time."""

    def add(self, answer: Answer, one: Reference, seconds: float) -> None:
        """One more answer to a position."""
        others = [p for p in answer.passages if not _is_around(p, one)]
        self.asked += 1
        self.first += bool(others) and means(others[0], one)
        self.in_pack += any(means(passage, one) for passage in others)
        self.milliseconds.append(seconds * 1000)
        self.late += TIER in answer.degraded


@dataclass
class Callers:
    """Who was said to call definitions whose names are ambiguous."""

    said: int = 0
    right: int = 0
    true: int = 0
    found: int = 0


@dataclass
class Bench:
    """The service of one package."""

    service: ContextService
    memory: int = 0
    """Bytes: the most that the process that resolves names had."""

    async def at(
        self, path: str, line: int, column: int | None, seconds: float, budget: int = BUDGET
    ) -> tuple[Answer, float]:
        """An answer, and the seconds that it took."""
        begun = time.perf_counter()
        answer = await self.service.for_position(path, line, budget, column, seconds)
        taken = time.perf_counter() - begun
        pid = self.service.resolving.child.pid
        if pid is not None:
            self.memory = max(self.memory, psutil.Process(pid).memory_info().rss)
        return answer, taken

    async def at_rest(self, seconds: int) -> str:
        """What the process that resolves names costs when nobody asks: processor and memory, in words."""
        pid = self.service.resolving.child.pid
        if pid is None:
            return "the process that resolves names does not run"
        process = psutil.Process(pid)
        before = process.cpu_times()
        await asyncio.sleep(seconds)
        after, held = process.cpu_times(), process.memory_full_info()
        used = sum(after[:2]) - sum(before[:2])
        # A proportional size is what Linux alone tells.
        shared = f", {held.pss / 1e6:.0f} MB proportional" if hasattr(held, "pss") else ""
        return f"at rest for {seconds} s: {used:.2f} s of processor, {held.rss / 1e6:.0f} MB resident{shared}"

    async def without(self, path: str, line: int, budget: int = BUDGET) -> tuple[Answer, float]:
        """The same as it would be without what resolves names."""
        setup, self.service.resolving._setup = self.service.resolving._setup, None
        try:
            return await self.at(path, line, None, 0, budget)
        finally:
            self.service.resolving._setup = setup

    async def whole(self, path: str, line: int, column: int | None, budget: int = BUDGET) -> Answer:
        """An answer for which time is no matter."""
        for _ in range(_ROUNDS):
            answer, _ = await self.at(path, line, column, _LONG, budget)
            if "index" not in answer.degraded and not _is_late(answer.degraded.get(TIER, "")):
                break
        return answer


def _is_late(reason: str) -> bool:
    return "in time" in reason or "within" in reason or "started" in reason


@asynccontextmanager
async def bench(root: Path) -> AsyncIterator[Bench]:
    """A service whose index is whole, and whose process that resolves names runs."""
    service = ContextService(Documents(), Scheduler())
    try:
        await service.opened(open_workspace(root, os.environ), trusted=False)
        await service.refresh(lambda done, of: None)
        await service.process.index()
        yield Bench(service)
    finally:
        await service.stop()


async def callers(bench: Bench, one: Reference, rows: Sequence[Reference]) -> tuple[Callers, Callers]:
    """Who calls a definition, without and with what resolves names, against what mypy knows of the calls."""
    line = max(one.lines)
    found = Callers(), Callers()
    before, _ = await bench.without(one.defined, line, _WIDE)
    now = await bench.whole(one.defined, line, None, _WIDE)
    for count, answer in zip(found, (before, now), strict=True):
        _count(count, answer.passages, one, rows)
    return found


def _count(count: Callers, passages: Sequence[Passage], one: Reference, rows: Sequence[Reference]) -> None:
    marks = {f"calls {one.name}", f"tests {one.name}"}
    calls = [row for row in rows if row.is_called and row.name == one.name]
    true = {(row.path, row.line) for row in calls if row.target == one.target}
    # What is called on a base may reach the definition: no evidence either.
    others = {(row.path, row.line) for row in calls if row.target not in one.overridden} - true
    said = [p for p in passages if marks & set(p.why)]
    for passage in said:
        right = any(_holds(passage, *place) for place in true)
        count.right += right
        # One whose calls mypy knows nothing of is no evidence for either side.
        count.said += right or any(_holds(passage, *place) for place in others)
    outside = [place for place in true if not _holds_definition(passages, one, place)]
    count.true += len(outside)
    count.found += sum(any(_holds(passage, *place) for passage in passages) for place in outside)


def _holds_definition(passages: Sequence[Passage], one: Reference, place: tuple[str, int]) -> bool:
    """Whether a call stands in the definition itself."""
    return any(means(p, one) and _holds(p, *place) for p in passages)


def means(passage: Passage, one: Reference) -> bool:
    """Whether a passage is the definition that a name means."""
    if passage.path != one.defined or passage.name.rpartition(".")[2] != one.target.rpartition(".")[2]:
        return False
    return any(_holds(passage, passage.path, line) for line in one.lines)


def _is_around(passage: Passage, one: Reference) -> bool:
    return "encloses the place" in passage.why and not means(passage, one)


def _holds(passage: Passage, path: str, line: int) -> bool:
    return passage.path == path and passage.span.start.line <= line <= passage.span.end.line
