"""Ordinary runs of mypy: one at a time, in a process that is ended when it is idle."""

from __future__ import annotations

import asyncio

from gateline.services.child import Child
from gateline.services.later import Later
from gateline.services.types.messages import FAR, Answer, Plain

IDLE = 3.0
"""Seconds without a question after which a process may be renewed, or a run's process ended."""


class Runs:
    """Asks about the texts of now and of the base alike."""

    def __init__(self, timeout: float, later: Later) -> None:
        self._timeout = timeout
        self._later = later
        self._child = Child(FAR)
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process identifier while it lives."""
        return self._child.pid

    async def warm(self) -> None:
        """Start the process before it is asked. Raises ChildError."""
        async with self._turn:
            await self._child.warm()

    async def ask(self, request: Plain) -> Answer:
        """What mypy says. Raises ChildError."""
        async with self._turn:
            try:
                answer: Answer = await self._child.ask(request, self._timeout)
                return answer
            finally:
                self._later.after(IDLE, "run", self.end)

    async def end(self) -> None:
        """End the process, once it has answered; the next question starts another."""
        async with self._turn:
            await self._child.stop()

    async def stop(self) -> None:
        """End the process at once."""
        await self._child.stop()
