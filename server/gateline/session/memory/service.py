"""The near side of memory: a process that starts with the first question, and ends when nobody asks.

Nothing here imports numpy.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateline.memory.lesson import Lesson, Note, Stored, Version
from gateline.services.child import Child
from gateline.session.errors import UsageError
from gateline.session.live.scheduler import Scheduler
from gateline.session.memory.requests import (
    Forget,
    Helped,
    History,
    ListAll,
    Open,
    Recall,
    Refused,
    Remember,
)

if TYPE_CHECKING:
    from gateline.memory.ranking import Found, Handout
    from gateline.session.workspace.workspace import Workspace

_PATIENCE = 60.0
"""Seconds in which an answer is expected, with the start of the process and its model."""
_UNUSED = 300.0
"""Seconds without a question after which the process ends."""


class MemoryService:
    """The memory of one workspace folder. Runs on the event loop, and blocks it never."""

    def __init__(self, scheduler: Scheduler, child: Child | None = None, folder: Path | None = None) -> None:
        self.child = child or Child("gateline.session.memory.child_main", nice=5)
        self._scheduler = scheduler
        self._folder = folder
        self._opening: Open | None = None
        self._opened = 0
        """Which start of the process holds the memory."""
        self._known = asyncio.Event()
        self._turn = asyncio.Lock()

    def opened(self, workspace: Workspace, *, trusted: bool) -> None:
        """A workspace was opened, or its settings were read again."""
        settings = workspace.loaded.settings.context
        self._opening = Open(workspace.root, settings, trusted, self._folder)
        self._opened = 0
        self.child.reset()
        self._known.set()

    async def remember(self, note: Note) -> Stored:
        """Store a note. Raises UsageError, and ChildError."""
        stored: Stored = await self._ask(Remember(note))
        return stored

    async def recall(self, request: Recall) -> Handout:
        """The lessons for a question or a place. Raises UsageError, and ChildError."""
        out: Handout = await self._ask(request)
        return out

    async def helped(self, names: tuple[str, ...]) -> list[Lesson]:
        """Note that lessons helped. Raises UsageError, and ChildError."""
        lessons: list[Lesson] = await self._ask(Helped(names))
        return lessons

    async def forget(self, names: tuple[str, ...]) -> list[Lesson]:
        """Delete lessons. Raises UsageError, and ChildError."""
        lessons: list[Lesson] = await self._ask(Forget(names))
        return lessons

    async def history(self, name: str) -> tuple[Lesson, list[Version]]:
        """A lesson and its versions. Raises UsageError, and ChildError."""
        found: tuple[Lesson, list[Version]] = await self._ask(History(name))
        return found

    async def all(self) -> list[Found]:
        """All lessons, newest first. Raises UsageError, and ChildError."""
        found: list[Found] = await self._ask(ListAll())
        return found

    async def stop(self) -> None:
        """End the process."""
        await self.child.stop()

    async def _ask(self, request: object) -> Any:
        await self._known.wait()
        async with self._turn:
            if self._opening is not None and (self.child.pid is None or self._opened != self.child.starts):
                _told(await self.child.ask(self._opening, _PATIENCE))
                self._opened = self.child.starts
            answer = _told(await self.child.ask(request, _PATIENCE))
        self._scheduler.submit("memory-unused", self._end, rest=_UNUSED)
        return answer

    async def _end(self) -> None:
        if not self._turn.locked():
            self.child.kill()


def _told(answer: Any) -> Any:
    if isinstance(answer, Refused):
        raise UsageError(answer.message)
    return answer
