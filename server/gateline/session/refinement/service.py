"""Refinement loops that an editor follows: each in a process of its own, paused, gone on with, and ended.

A loop is stored after every round, so pausing is ending its process after the round that is under way, and
going on is what `--resume` does. Nothing here imports what a loop is made of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from gateline.refinement.state import LoopState
from gateline.services.child import Child, ChildError, last_line
from gateline.services.shielded import begun
from gateline.session.errors import UsageError
from gateline.session.far_work import Doing, Refused
from gateline.session.refinement.requests import Run

FAR = "gateline.session.refinement.child_main"
MOST = 2
"""Loops of one workspace that an editor runs at the same time."""
_LONGEST = 24 * 3600.0
"""Seconds of a loop; rounds and budgets end it long before."""
_NICE = 10
"""Whoever types comes first."""
_OFTEN = 0.25
"""Seconds between two steps that are told: a run of tests has one for each test."""
_ELSEWHERE = "the loop is run by another process"
_FAREWELL = 5.0
"""Seconds in which a process that is asked to stop ends its agents."""


class Phase(StrEnum):
    """How a loop stands."""

    RUNNING = "running"
    PAUSING = "pausing"
    """It ends with the round that is under way."""
    PAUSED = "paused"
    """Nobody runs it: it was paused, or interrupted; it can be gone on with."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Standing:
    """A loop, and what it does now."""

    state: LoopState
    phase: Phase
    step: str = ""
    """What it does now; empty where nobody runs it."""
    trouble: str = ""
    """Why it stands still, where nobody wanted that."""


Listener = Callable[[Standing], None]


class _Running:
    """One loop whose process lives."""

    def __init__(self, child: Child, listener: Listener) -> None:
        self.child = child
        self.begun: asyncio.Future[Standing] = asyncio.get_running_loop().create_future()
        self.pausing = False
        self.standing: Standing | None = None
        self._listener = listener
        self.task: asyncio.Task[None] | None = None
        self._step = ""
        self._telling: asyncio.TimerHandle | None = None
        self._stopping: asyncio.Task[None] | None = None

    async def run(self, request: Run) -> None:
        """Follow the loop until its process has ended."""
        trouble = ""
        try:
            await self.child.ask(request, _LONGEST, self._hear)
        except ChildError as error:
            trouble = last_line(error)
        finally:
            await self.child.stop()
            self._ended(trouble)

    async def stop(self) -> None:
        """End the process with its agents; what was stored stays."""
        if self._stopping is None:
            self._stopping = begun(self.child.terminate(_FAREWELL))
        await asyncio.shield(self._stopping)

    async def ended(self) -> None:
        """Stop it, and wait until nobody runs it any more."""
        await self.stop()
        if self.task is not None:
            await asyncio.wait({self.task})

    def _hear(self, event: Any) -> None:
        if isinstance(event, LoopState):
            phase = Phase.ENDED if event.ended is not None else self._phase
            self.say(Standing(event, phase, self._step))
            if self.pausing and event.rounds and phase is Phase.PAUSING:
                self._stopping = self._stopping or begun(self.child.terminate(_FAREWELL))
        elif isinstance(event, Doing):
            self._step = event.step
            if self._telling is None:
                self._telling = asyncio.get_running_loop().call_later(_OFTEN, self._tell_step)
        elif isinstance(event, Refused) and not self._is_stopped:
            self._refused(event.message)

    def _tell_step(self) -> None:
        """Tell the newest step, where the loop goes on."""
        self._telling = None
        if self.standing is not None and self.standing.phase in (Phase.RUNNING, Phase.PAUSING):
            self.say(replace(self.standing, step=self._step, phase=self._phase))

    @property
    def _phase(self) -> Phase:
        return Phase.PAUSING if self.pausing else Phase.RUNNING

    @property
    def _is_stopped(self) -> bool:
        return self._stopping is not None

    def _refused(self, message: str) -> None:
        if not self.begun.done():
            self.begun.set_exception(UsageError(message))
        elif self.standing is not None:
            self.standing = replace(self.standing, trouble=message)

    def _ended(self, trouble: str) -> None:
        """Say how it stands now that nobody runs it."""
        if self._telling is not None:
            self._telling.cancel()
        if self.standing is None:
            if not self.begun.done():
                self.begun.set_exception(ChildError(trouble or "the loop's process ended before it began"))
            return
        phase = Phase.ENDED if self.standing.state.ended is not None else Phase.PAUSED
        told = "" if phase is Phase.ENDED or self._is_stopped else self.standing.trouble or trouble
        self.say(replace(self.standing, phase=phase, step="", trouble=told))

    def pause(self) -> None:
        """End after the round that is under way."""
        self.pausing = True
        if self.standing is not None and self.standing.phase is Phase.RUNNING:
            self.say(replace(self.standing, phase=Phase.PAUSING))

    def say(self, standing: Standing) -> None:
        """Tell how the loop stands."""
        self.standing = standing
        if not self.begun.done():
            self.begun.set_result(standing)
        self._listener(standing)


class RefinementService:
    """The loops of one workspace folder. Runs on the event loop, and blocks it never."""

    def __init__(self, root: Path, child: Callable[[], Child] | None = None) -> None:
        self._root = root
        self._child = child or partial(Child, FAR, nice=_NICE)
        self._running: dict[str, _Running] = {}
        self._all: set[_Running] = set()
        """Also those that are only starting."""
        self._beside: set[asyncio.Task[None]] = set()
        self.is_stopping = False

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """What goes on beside a loop, and is cancelled with the session."""
        task = begun(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def run(self, request: Run, listener: Listener) -> Standing:
        """Begin a loop, or go on with one; it is told to `listener` until it stands still.

        Raises UsageError and ChildError.
        """
        if request.asked.resume in self._running:
            raise UsageError(f"loop {request.asked.resume} is under way")
        if len(self._all) >= MOST:
            raise UsageError(f"{MOST} loops are under way; pause or cancel one first")
        one = _Running(self._child(), listener)
        self._all.add(one)
        one.task = begun(one.run(request))
        one.begun.add_done_callback(lambda _: self._know(one))
        one.task.add_done_callback(lambda _: self._forget(one))
        return await asyncio.shield(one.begun)

    def _know(self, one: _Running) -> None:
        """A loop has begun: who asked for it may be gone."""
        if one.begun.exception() is None and one in self._all:
            self._running[one.begun.result().state.id] = one

    def _forget(self, one: _Running) -> None:
        self._all.discard(one)
        self._running = {name: other for name, other in self._running.items() if other is not one}

    async def pause(self, loop: str) -> Standing:
        """End a loop's process after the round that is under way. Raises UsageError and StoreError."""
        if (one := self._running.get(loop)) is not None:
            one.pause()
        standing = await self.find(loop)
        if standing.step == _ELSEWHERE:
            raise UsageError(f"loop {loop} is {_ELSEWHERE}: pause it there")
        return standing

    async def end(self, loop: str, reason: str) -> Standing:
        """End a loop at the best content that it found. Raises UsageError and StoreError."""
        from gateline.session.refinement.stored import end_loop  # late: hardly any server has loops

        one = self._running.get(loop)
        if one is not None:
            await one.ended()
        state = await asyncio.to_thread(end_loop, self._root, loop, reason)
        standing = Standing(state, Phase.ENDED)
        if one is not None:
            one.say(standing)
        return standing

    async def find(self, loop: str) -> Standing:
        """How a loop stands. Raises StoreError where there is none."""
        from gateline.session.refinement.stored import find_loop

        return await self._standing(await asyncio.to_thread(find_loop, self._root, loop))

    async def all(self) -> tuple[list[Standing], list[str]]:
        """All loops of the workspace that can be read, newest first, and why others cannot.

        Raises StoreError.
        """
        from gateline.session.refinement.stored import loops_of

        states, troubles = await asyncio.to_thread(loops_of, self._root)
        return [await self._standing(state) for state in states], troubles

    async def stop(self) -> None:
        """End the processes; the loops stay as they are stored."""
        self.is_stopping = True
        await asyncio.gather(*(one.stop() for one in self._all), return_exceptions=True)
        tasks = (*(one.task for one in self._all if one.task is not None), *self._beside)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _standing(self, state: LoopState) -> Standing:
        from gateline.session.refinement.stored import is_run

        one = self._running.get(state.id)
        if one is not None and one.standing is not None:
            return one.standing
        if state.ended is not None:
            return Standing(state, Phase.ENDED)
        if await asyncio.to_thread(is_run, self._root, state.id):
            return Standing(state, Phase.RUNNING, _ELSEWHERE)
        return Standing(state, Phase.PAUSED)
