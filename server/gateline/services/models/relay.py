"""The editor's model for a process that the editor's server started: questions go out as parts of an answer.

What the editor said comes back as a message that has no answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count

from gateline.services.models.editor import Editor, EditorModelError, Said, Sent


@dataclass(frozen=True, slots=True)
class AskEditor:
    """Asks what the editor's model says; answered by `EditorSaid` with the same number."""

    number: int
    sent: Sent


@dataclass(frozen=True, slots=True)
class DropQuestion:
    """Nobody waits for the answer any more."""

    number: int


@dataclass(frozen=True, slots=True)
class EditorSaid:
    """What it said, or why it did not."""

    number: int
    said: Said | None
    problem: str = ""


class Relay:
    """The end of the process that asks: an `Editor`."""

    def __init__(self, tell: Callable[[object], None]) -> None:
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[EditorSaid]] = {}

    async def ask(self, sent: Sent) -> Said:
        """Ask through the process that started this one. Raises EditorModelError."""
        number = next(self._numbers)
        coming: asyncio.Future[EditorSaid] = self._loop.create_future()
        self._waiting[number] = coming
        self._tell(AskEditor(number, sent))
        try:
            heard = await coming
        except asyncio.CancelledError:
            self._tell(DropQuestion(number))
            raise
        finally:
            del self._waiting[number]
        if heard.said is None:
            raise EditorModelError(heard.problem)
        return heard.said

    def hear(self, said: EditorSaid) -> None:
        """What the editor said. Safe for threads."""
        self._loop.call_soon_threadsafe(self._take, said)

    def _take(self, said: EditorSaid) -> None:
        coming = self._waiting.get(said.number)
        if coming is not None and not coming.done():
            coming.set_result(said)


class Relayed:
    """The end of the process that has the editor."""

    def __init__(self, editor: Editor, answer: Callable[[EditorSaid], Awaitable[None]]) -> None:
        """`answer` sends what the editor said to the process that asked."""
        self._editor = editor
        self._answer = answer
        self._asking: dict[int, asyncio.Task[None]] = {}

    def hear(self, event: object) -> bool:
        """Whether an event was for the editor; it is asked beside."""
        if isinstance(event, AskEditor):
            self._asking[event.number] = asyncio.ensure_future(self._ask(event))
            return True
        if isinstance(event, DropQuestion):
            if event.number in self._asking:
                self._asking[event.number].cancel()
            return True
        return False

    def stop(self) -> None:
        """Drop all questions; the editor is told."""
        for one in self._asking.values():
            one.cancel()

    async def _ask(self, asked: AskEditor) -> None:
        try:
            said = EditorSaid(asked.number, await self._editor.ask(asked.sent))
        except EditorModelError as error:
            said = EditorSaid(asked.number, None, str(error))
        finally:
            del self._asking[asked.number]
        await self._answer(said)
