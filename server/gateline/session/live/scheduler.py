"""When work runs: newer work replaces what waits, after a pause that adapts to what the work costs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]

_SMOOTHING = 0.3
"""The weight of the newest duration in the moving average."""


class Clock(Protocol):
    """Time in seconds, as the scheduler sees it; tests turn it by hand."""

    def time(self) -> float:
        """Now."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Until `seconds` later."""
        ...


class LoopClock:
    """The event loop's own time."""

    def time(self) -> float:
        """Now."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Until `seconds` later."""
        await asyncio.sleep(seconds)


@dataclass
class _Lane:
    """One key: at most one job runs, and at most one waits."""

    waiting: Job | None = None
    is_running: bool = False
    """Whether a job runs, and is not in the pause before it."""
    task: asyncio.Task[None] | None = None
    average: float = 0.0
    rest: float | None = None
    bell: asyncio.Event = field(default_factory=asyncio.Event)


class Scheduler:
    """Runs the newest job of each key. A running job is left to end; a waiting one is replaced.

    The pause before a job is the moving average of what the key's jobs took, between `shortest` and
    `longest` seconds: cheap work follows the typing, dear work waits for a rest. A newer job starts
    the pause again, up to four times `longest`, so that steady typing cannot starve it.
    """

    def __init__(self, clock: Clock | None = None, *, shortest: float = 0.02, longest: float = 0.4) -> None:
        self.clock = clock or LoopClock()
        self.shortest = shortest
        self.longest = longest
        self._lanes: dict[Hashable, _Lane] = {}

    def submit(self, key: Hashable, job: Job, *, rest: float | None = None) -> None:
        """Run `job` after the key's pause, in place of a job of the same key that still waits.

        `rest` is a pause in seconds that the key has always, whatever its jobs cost.
        """
        lane = self._lanes.setdefault(key, _Lane())
        lane.rest = rest
        lane.waiting = job
        lane.bell.set()
        if lane.task is None or lane.task.done():
            lane.task = asyncio.get_running_loop().create_task(self._work(lane))

    def pause(self, key: Hashable) -> float:
        """The seconds that the next job of this key will wait."""
        lane = self._lanes.get(key)
        return self.shortest if lane is None else self._pause_of(lane)

    @property
    def depth(self) -> int:
        """How many jobs wait or run."""
        return sum(lane.is_running + (lane.waiting is not None) for lane in self._lanes.values())

    @property
    def busy(self) -> bool:
        """Whether anything waits or runs."""
        return any(lane.task is not None and not lane.task.done() for lane in self._lanes.values())

    def drop(self, key: Hashable) -> None:
        """Forget a key: its waiting job is not run, its running job ends unheard."""
        lane = self._lanes.pop(key, None)
        if lane is not None:
            lane.waiting = None

    async def stop(self) -> None:
        """Cancel everything and wait until it is gone."""
        tasks = [lane.task for lane in self._lanes.values() if lane.task is not None]
        self._lanes.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, lane: _Lane) -> None:
        while (job := await self._next(lane)) is not None:
            started = self.clock.time()
            lane.is_running = True
            await guarded(job())
            lane.is_running = False
            taken = self.clock.time() - started
            lane.average = taken if not lane.average else lane.average + _SMOOTHING * (taken - lane.average)

    async def _next(self, lane: _Lane) -> Job | None:
        """The newest job, after its pause; None when none waits, or the key was dropped meanwhile."""
        if lane.waiting is not None:
            await self._rest(lane)
        job, lane.waiting = lane.waiting, None
        return job

    async def _rest(self, lane: _Lane) -> None:
        pause = self._pause_of(lane)
        latest = self.clock.time() + 4 * max(self.longest, pause)
        while lane.bell.is_set() and self.clock.time() < latest:
            lane.bell.clear()
            await self.clock.sleep(pause)

    def _pause_of(self, lane: _Lane) -> float:
        return min(max(lane.average, self.shortest), self.longest) if lane.rest is None else lane.rest


async def guarded(work: Awaitable[object]) -> None:
    """A boundary: a fault in one piece of work is logged and ends nothing else."""
    try:
        await work
    except Exception:
        log.exception("background work failed")
