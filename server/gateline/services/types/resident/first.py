"""The first answers about texts of which the cache knows too little: two processes at once.

One checks only what is asked for, against what imported modules declare: it has done much less when it knows
the same. It remembers what it read, so that its next answer comes soon, and answers until there is an engine.
The other, an ordinary run, fills the cache that an engine can start from.
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
from gateline.services.types.messages import FAR, Answer, Glance, Plain, Texts
from gateline.services.types.runs.cache import remove_scratch
from gateline.services.types.runs.runs import Runs

log = logging.getLogger(__name__)

_ROOM = 4
"""Processors from which on two runs at once do not slow each other: the server is busy meanwhile, too."""


class NotYetError(Exception):
    """What was asked can only be told when there is an engine."""


class FirstRuns:
    """`runs` fill the cache, and then `start` is called; a process of its own answers meanwhile.

    `answered` is what the last answers were about: what the cache is filled for.
    """

    def __init__(
        self,
        runs: Runs,
        timeout: float,
        later: Later,
        start: Callable[[], Awaitable[None]],
        answered: Callable[[], Texts],
    ) -> None:
        self._runs = runs
        self._timeout = timeout
        self._later = later
        self._start = start
        self._answered = answered
        self._child = Child(FAR)
        self._starting: asyncio.Task[None] | None = None
        self._runs_under_way: tuple[asyncio.Task[Answer], ...] = ()
        self._lives: set[tuple[str, int]] = set()
        """The processes that answered, each with the folder where it remembers what it read."""

    @property
    def pid(self) -> int | None:
        """The process that answers, while it lives."""
        return self._child.pid

    @property
    def under_way(self) -> bool:
        """Whether the cache is being filled, or the engine started from it."""
        return self._starting is not None and not self._starting.done()

    async def warm(self) -> None:
        """Start the process that will answer. Raises ChildError."""
        await self._child.warm()

    async def ask(self, request: Plain) -> Answer:
        """What is found in these texts, by whichever run knows it first. Raises ChildError."""
        glance = begun(self.again(request))
        filling = begun(self._fill(request, glance))
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

    async def again(self, request: Plain) -> Answer:
        """What is found in texts while the cache is being filled. Raises ChildError."""
        request = replace(request, alone=True)
        await self._warmed(request)
        if isinstance(told := self._child.told, Glance) and told.request != request:
            self._child.kill()  # it is busy with what nobody wants to know any more
            await self._warmed(request)
        answer: Answer = await self._child.ask(request, self._timeout)
        return answer

    async def _warmed(self, request: Plain) -> None:
        await self._child.warm()
        self._lives.add((request.setup.cache_dir, self._child.pid or 0))

    async def about(
        self, request: Plain, before: Texts, asked: Texts
    ) -> tuple[Answer, dict[str, str | None]]:
        """The same, where `asked` took the place of texts `before`; those that were put back.

        A text that does not parse is put back to the last one that did, as the engine does it.
        Raises NotYetError.
        """
        try:
            answer = await self.again(request)
            broken = {path: before[path] for path in asked if path in before and answer.is_silent_of(path)}
            if broken:
                answer = await self.again(replace(request, texts={**request.texts, **broken}))
        except ChildError as error:
            log.warning("no types until there is an engine: %s", last_line(error))
            raise NotYetError from None
        return answer, broken

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
        await self._end()

    async def _fill(self, request: Plain, glance: asyncio.Task[Answer]) -> Answer:
        """Once more where a document came that the cache was not filled for."""
        if _processors() < _ROOM:
            await asyncio.wait({glance})
        filled: set[str] = set()
        while True:
            texts = dict(self._answered())
            answer = await self._runs.ask(replace(request, texts=texts, prime=True))
            filled |= texts.keys()
            if answer.blocked or answer.no_data or self._answered().keys() <= filled:
                break
        # The full build takes much memory: it is given back before the engine starts.
        await self._runs.end()
        return answer

    async def _started(self, filling: asyncio.Task[Answer]) -> None:
        try:
            await filling
            await self._start()
        except ChildError as error:
            log.warning("the type checker could not be made ready: %s", last_line(error))
        finally:
            # Nothing is asked of it again: what it holds is given back, also after a failure.
            self._later.after(0, "the first run", self._end)

    async def _end(self) -> None:
        await self._child.stop()
        lives, self._lives = self._lives, set()
        for folder, pid in lives:
            await asyncio.to_thread(remove_scratch, folder, pid)


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _found(run: asyncio.Task[Answer]) -> Answer:
    """What a run that has ended found. Raises ChildError."""
    if run.cancelled():
        raise ChildError("the type checker was stopped")
    return run.result()
