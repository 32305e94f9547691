"""The first answer about a project that has no cache yet: two runs at once.

One checks only what was asked for, against what imported modules declare, and keeps nothing: it has done much
less when it knows the same. The other, an ordinary run, fills the cache that an engine can start from.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace

from gateline.services.child import Child, ChildError, last_line
from gateline.services.later import Later
from gateline.services.shielded import begun
from gateline.services.types.messages import FAR, Answer, Glance, Plain
from gateline.services.types.runs import Runs

log = logging.getLogger(__name__)

_ROOM = 4
"""Processors from which on two runs at once do not slow each other: the server is busy meanwhile, too."""


class FirstRuns:
    """`runs` fill the cache, and then `start` is called; a process of its own answers meanwhile."""

    def __init__(
        self, runs: Runs, timeout: float, later: Later, start: Callable[[], Awaitable[None]]
    ) -> None:
        self._runs = runs
        self._timeout = timeout
        self._later = later
        self._start = start
        self._child = Child(FAR)
        self._starting: asyncio.Task[None] | None = None
        self._runs_under_way: tuple[asyncio.Task[Answer], ...] = ()

    @property
    def pid(self) -> int | None:
        """The process that answers, while it lives."""
        return self._child.pid

    async def warm(self) -> None:
        """Start the process that will answer. Raises ChildError."""
        await self._child.warm()

    async def ask(self, request: Plain) -> Answer:
        """What is found in these texts, by whichever run knows it first. Raises ChildError."""
        glance = begun(self._glance(replace(request, alone=True)))
        filling = begun(self._fill(replace(request, prime=True), glance))
        self._runs_under_way = (glance, filling)
        self._starting = begun(self._started(filling))
        await asyncio.wait({glance, filling}, return_when=asyncio.FIRST_COMPLETED)
        first, second = (glance, filling) if glance.done() else (filling, glance)
        try:
            return _found(first)
        except ChildError:
            await asyncio.wait({second})
            return _found(second)
        finally:
            glance.cancel()  # one that is late is of no use any more

    async def ended(self) -> None:
        """Until `start` has returned, or cannot be called, where the cache is being filled."""
        if self._starting is not None:
            await asyncio.wait({self._starting})

    async def stop(self) -> None:
        """End the process that answers; nothing is started any more. Who waits gets a ChildError."""
        for task in self._runs_under_way:
            task.cancel()
        if self._starting is not None:
            self._starting.cancel()
        await self._child.stop()

    async def _glance(self, request: Plain) -> Answer:
        try:
            await self._child.warm()
            if isinstance(told := self._child.told, Glance) and told.request != request:
                self._child.kill()  # it is busy with what nobody wants to know any more
            answer: Answer = await self._child.ask(request, self._timeout)
            return answer
        finally:
            # Nothing is asked of it again: what it holds is given back, also after a failure.
            self._later.after(0, "the first run", self._child.stop)

    async def _fill(self, request: Plain, glance: asyncio.Task[Answer]) -> Answer:
        if _processors() < _ROOM:
            await asyncio.wait({glance})
        answer = await self._runs.ask(request)
        # The full build takes much memory: it is given back before the engine starts.
        await self._runs.end()
        return answer

    async def _started(self, filling: asyncio.Task[Answer]) -> None:
        try:
            await filling
            await self._start()
        except ChildError as error:
            log.warning("the type checker could not be made ready: %s", last_line(error))


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _found(run: asyncio.Task[Answer]) -> Answer:
    """What a run that has ended found. Raises ChildError."""
    if run.cancelled():
        raise ChildError("the type checker was stopped")
    return run.result()
