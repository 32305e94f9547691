"""The near side of context: keeps the child process that holds the index, and asks it in time.

Nothing here imports numpy. The process starts with the first question, or some time after the workspace was
opened; when it ends in whatever way, the next question starts another, which takes up what was stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gateline.context.values import Answer, Question
from gateline.model import Document
from gateline.services.child import Child, ChildDiedError, ChildError, last_line
from gateline.services.shielded import begun, shielded
from gateline.session.context_requests import (
    Around,
    Ask,
    Edited,
    Look,
    Open,
    Save,
    Search,
    Standing,
    Step,
    Written,
)
from gateline.session.documents import Documents
from gateline.session.errors import UsageError
from gateline.session.scheduler import Scheduler
from gateline.session.workspace import Workspace

log = logging.getLogger(__name__)

LIMIT = 2.0
"""Seconds after which a question is answered with what there is, also while the index is being made."""
DEADLINE = 0.03
"""Seconds that a tier may take which is not needed, once the index is there."""
_PATIENCE = 60.0
"""Seconds in which the process is expected to have done one step."""
_IDLE = 5.0
"""Seconds after the workspace was opened, and after the last edit, in which nobody is disturbed."""
_STILL = 0.3
"""Seconds without an edit after which the process is told of the text."""
_OFF = "context.enabled is false in the settings of this workspace"

Tell = Callable[[int, int], None]
"""Takes how many files were read, and of how many."""


class ContextService:
    """The context of one workspace folder. All methods run on the event loop, and none blocks it."""

    def __init__(self, documents: Documents, scheduler: Scheduler, child: Child | None = None) -> None:
        self.child = child or Child("gateline.session.context_far", nice=5)
        self._documents = documents
        self._scheduler = scheduler
        self._opening: Open | None = None
        self._known = asyncio.Event()
        """Set when the settings are known."""
        self._indexing: asyncio.Task[None] | None = None
        self._indexed = 0
        """Which start of the process has looked at all files; 0: none has."""
        self._looked = 0
        """Which start of the process knows the open texts."""
        self._told: dict[str, Document] = {}
        self._written: set[str] = set()
        self._listeners: set[Tell] = set()
        self.progress = (0, 0)
        self.trouble = ""
        """Why there is no index; empty when all is well."""

    # What happens

    def opened(self, workspace: Workspace) -> None:
        """A workspace was opened, or its settings were read again."""
        self.child.reset()
        self._indexed = 0
        enabled = workspace.loaded.settings.context.enabled
        self._opening = Open(workspace.root, dict(os.environ)) if enabled else None
        self._known.set()
        if enabled:
            self._scheduler.submit("context", self._begin, rest=_IDLE)
        else:
            self.child.kill()

    def edited(self) -> None:
        """A document was opened, edited or closed. A process that does not run needs not know."""
        if self.is_looking:
            self._scheduler.submit("context-edits", self._caught_up, rest=_STILL)

    def written(self, paths: Sequence[str]) -> None:
        """Files were written, or git moved."""
        if not self.is_looking:
            return
        if any(path.startswith(".git/") for path in paths):
            self._scheduler.submit("context", self.refresh, rest=_STILL)
        else:
            self._written.update(paths)
            self._scheduler.submit("context-edits", self._caught_up, rest=_STILL)

    async def stop(self) -> None:
        """End all work and the process."""
        if self._indexing is not None:
            self._indexing.cancel()
        if self.is_ready and self.child.pid is not None:
            await self._quietly(Save())
        await self.child.stop()

    # What is asked

    @property
    def is_ready(self) -> bool:
        """Whether the process lives and has looked at all files."""
        return self.child.pid is not None and self._indexed == self.child.starts

    @property
    def is_looking(self) -> bool:
        """Whether the process lives and is to be told what happens."""
        return self.child.pid is not None and self._looked == self.child.starts

    async def search(self, question: Question, budget: int, deadline: float = DEADLINE) -> Answer:
        """The passages for a question. `deadline` in seconds; late tiers are left out, and said.

        Raises UsageError when context is switched off.
        """
        return await self._answered(Search(question, budget, min(deadline, LIMIT)))

    async def for_position(self, path: str, line: int, budget: int, deadline: float = DEADLINE) -> Answer:
        """What one needs in view at a zero-based line of a file. Raises UsageError."""
        return await self._answered(Around(path, line, budget, min(deadline, LIMIT)))

    async def status(self) -> Standing | None:
        """How the index stands; None when nobody asked for it yet, or it cannot be had."""
        await self._known.wait()
        if self.child.pid is None or not self._indexed:
            return None
        try:
            standing: Standing = await shielded(self._ask(Ask()))
        except ChildError as error:
            self.trouble = last_line(error)
            return None
        return standing

    async def refresh(self, tell: Tell = lambda done, of: None) -> None:
        """Look at all files again, until that is done. Raises UsageError and ChildError."""
        await self._enabled()
        with self.following(tell):
            if self._indexing is None or self._indexing.done():
                self._indexed = 0
            await asyncio.shield(self._begun())

    @contextlib.contextmanager
    def following(self, tell: Tell) -> Iterator[None]:
        """Meanwhile, `tell` hears how far indexing is."""
        self._listeners.add(tell)
        try:
            yield
        finally:
            self._listeners.discard(tell)

    @property
    def state(self) -> str:
        """`off`, `waiting` for the first question, `indexing`, `ready`, or `failed`."""
        if self._known.is_set() and self._opening is None:
            return "off"
        if self.is_ready:
            return "ready"
        if self._indexing is not None and not self._indexing.done():
            return "indexing"
        return "failed" if self.trouble else "waiting"

    # How it works

    async def _enabled(self) -> Open:
        await self._known.wait()
        if self._opening is None:
            raise UsageError(_OFF)
        return self._opening

    async def _answered(self, request: Search | Around) -> Answer:
        await self._enabled()
        try:
            async with asyncio.timeout(LIMIT):
                return await self._until_answered(request)
        except TimeoutError:
            return _nothing(self._lateness)
        except ChildError as error:
            self.trouble = last_line(error)
            log.warning("no context: %s", self.trouble)
            return _nothing(self.trouble)

    async def _until_answered(self, request: Search | Around) -> Answer:
        """A process that ended under the question is asked once more, when it is back."""
        for is_last in (False, True):
            late = not await self._ready_soon()
            try:
                await self._catch_up()
                answer: Answer = await shielded(self._ask(request))
                return _degraded(answer, self._lateness) if late else answer
            except ChildDiedError:
                if is_last:
                    raise
        raise AssertionError("unreachable")

    async def _ready_soon(self) -> bool:
        """Whether the index is whole, within most of what a question may take."""
        if self.is_ready:
            return True
        try:
            async with asyncio.timeout(LIMIT * 0.75):
                await asyncio.shield(self._begun())
        except TimeoutError:
            return False
        return True

    @property
    def _lateness(self) -> str:
        done, of = self.progress
        if self.is_ready:
            return f"no answer within {LIMIT:g} s"
        return f"{done} of {of} files are read so far" if of else "the index is being opened"

    async def _begin(self) -> None:
        if not self.is_ready and self._opening is not None:
            await self._begun()

    def _begun(self) -> asyncio.Task[None]:
        if self._indexing is None or self._indexing.done():
            self._indexing = begun(self._index())
        return self._indexing

    async def _index(self) -> None:
        opening = await self._enabled()
        self.progress = (0, 0)
        await self._ask(opening)
        start = self.child.starts
        self._told, self._written = dict(self._documents.buffers), set()
        of = left = await self._ask(Look(tuple(self._told.values())))
        self._looked = start
        while left:
            left = await self._ask(Step())
            self._tell(of - left, of)
        self._indexed, self.trouble = start, ""
        self._scheduler.submit("context-save", lambda: self._quietly(Save()), rest=_IDLE)

    def _tell(self, done: int, of: int) -> None:
        self.progress = (done, of)
        for tell in tuple(self._listeners):
            tell(done, of)

    async def _caught_up(self) -> None:
        try:
            await self._catch_up()
        except ChildError as error:
            log.info("the index was not told: %s", last_line(error))

    async def _catch_up(self) -> None:
        """Tell the process what it has not seen: open texts, and files that were written."""
        if not self.is_looking:
            return
        before, now = self._told, dict(self._documents.buffers)
        edited = tuple(one for path, one in now.items() if before.get(path) is not one)
        closed = tuple(path for path in before if path not in now)
        written, self._written, self._told = tuple(self._written), set(), now
        if edited or closed:
            await shielded(self._ask(Edited(edited, closed)))
        if written:
            await shielded(self._ask(Written(written)))

    async def _quietly(self, request: object) -> None:
        """Say something whose failure shows with the next question."""
        try:
            await shielded(self._ask(request))
        except ChildError as error:
            log.info("the index was not told: %s", last_line(error))

    async def _ask(self, request: object) -> Any:
        return await self.child.ask(request, _PATIENCE)


def _nothing(reason: str) -> Answer:
    return Answer((), (), {"index": reason})


def _degraded(answer: Answer, reason: str) -> Answer:
    said: Mapping[str, str] = {**answer.degraded, "index": reason}
    return Answer(answer.passages, answer.tiers, said, answer.tokens, answer.left_out)
