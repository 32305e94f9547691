"""The near side of context: asks the process that holds the index, in time, and says what was missing.

Nothing here imports numpy.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gateline.context.values import Answer, Question
from gateline.services.child import Child, ChildDiedError, ChildError, last_line
from gateline.services.embedding.weights import OPENING, UNLOADABLE
from gateline.session.context.embedding import Embedding
from gateline.session.context.model import models_folder
from gateline.session.context.opening import opening_of
from gateline.session.context.process import ContextProcess, Tell
from gateline.session.context.requests import INDEX, Around, Ask, Find, Search, Standing
from gateline.session.context.resolving import Resolving, setup_of
from gateline.session.errors import UsageError
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import Workspace

log = logging.getLogger(__name__)

LIMIT = 2.0
"""Seconds after which a question is answered with what there is, also while the index is being made."""
SOON = 0.7
"""Seconds after which an index that is being made is asked for what it has: the nearest files come first."""
DEADLINE = 0.03
"""Seconds that a tier may take which is not needed, once the index is there."""
_OFF = "context.enabled is false in the settings of this workspace"


class ContextService:
    """The context of one workspace folder. All methods run on the event loop, and none blocks it."""

    def __init__(
        self,
        documents: Documents,
        scheduler: Scheduler,
        child: Child | None = None,
        embedder: Child | None = None,
        resolver: Child | None = None,
    ) -> None:
        self.process = ContextProcess(
            documents, scheduler, child, self._opened, lambda: self.embedding.wake()
        )
        self.embedding = Embedding(self.process.ask_open, embedder, self.process.calm)
        self.resolving = Resolving(documents, scheduler, resolver, self.process.calm)
        self._known = asyncio.Event()
        """Set when the settings are known."""
        self.counts: Counter[str] = Counter()
        """Questions, and by what was missing, how many of them had to do without.

        `model`: how many because it cannot be loaded.
        """
        self.trouble = ""
        """Why there was no answer; empty when all is well."""

    # What happens

    async def opened(self, workspace: Workspace, *, trusted: bool) -> None:
        """A workspace was opened, or its settings were read again."""
        settings = workspace.loaded.settings.context
        opening = setup = None
        try:
            opening = await asyncio.to_thread(opening_of, workspace)
            setup = await asyncio.to_thread(setup_of, workspace) if opening is not None else None
            if opening is not None:
                await self.embedding.chosen(workspace.root, settings, models_folder(), trusted=trusted)
        finally:
            # Whatever failed: who asks waits until this is known, and without a limit.
            self.process.reopen(opening)
            self.resolving.reopen(setup)
            self._known.set()
        if opening is not None and await asyncio.to_thread((opening.folder / INDEX).exists):
            # Who asked before asks again. Who never did has no index in memory.
            self.process.expect()

    def edited(self) -> None:
        """A document was opened, edited or closed."""
        self.process.edited()
        self.resolving.edited()

    def written(self, paths: Sequence[str]) -> None:
        """Files were written, or git moved."""
        self.process.written(paths)
        self.resolving.written()

    async def stop(self) -> None:
        """End all work and the processes."""
        await asyncio.gather(self.process.stop(), self.embedding.stop(), self.resolving.stop())

    # What is asked

    async def search(self, question: Question, budget: int, deadline: float = DEADLINE) -> Answer:
        """The passages for a question. `deadline` in seconds; late tiers are left out, and said.

        Raises UsageError when context is switched off.
        """
        return await self._answered(Search(question, budget, min(deadline, LIMIT)))

    async def for_position(
        self, path: str, line: int, budget: int, column: int | None = None, deadline: float = DEADLINE
    ) -> Answer:
        """What one needs in view at a zero-based line of a file; the column is in code points.

        `deadline` in seconds: names that are not resolved by then are said. Raises UsageError.
        """
        return await self._answered(Around(path, line, budget, column, None, min(deadline, LIMIT)))

    async def status(self) -> Standing | None:
        """How the index stands; None when nobody asked for it yet, or it cannot be had."""
        await self._known.wait()
        if not self.process.is_looking:
            return None
        try:
            standing: Standing = await self.process.ask(Ask())
        except ChildError as error:
            self.trouble = last_line(error)
            return None
        return standing

    async def refresh(self, tell: Tell) -> None:
        """Look at all files again, until that is done. Raises UsageError and ChildError."""
        await self._enabled()
        with self.process.following(tell):
            await self.process.index(again=True)

    @property
    def state(self) -> str:
        """`off`, `waiting` for the first question, `indexing`, `ready`, or `failed`."""
        if self._known.is_set() and self.process.opening is None:
            return "off"
        if self.process.is_ready:
            return "ready"
        if self.process.is_indexing:
            return "indexing"
        return "failed" if self.trouble else "waiting"

    # How it works

    async def _enabled(self) -> None:
        await self._known.wait()
        if self.process.opening is None:
            raise UsageError(_OFF)

    async def _opened(self, folder: Path) -> None:
        await self.embedding.opened(folder)

    async def _answered(self, request: Search | Around) -> Answer:
        await self._enabled()
        try:
            async with asyncio.timeout(LIMIT):
                answer = await self._until_answered(request)
            self.trouble = ""
        except TimeoutError:
            answer = _nothing(self._lateness)
        except ChildError as error:
            self.trouble = last_line(error)
            log.warning("no context: %s", self.trouble)
            answer = _nothing(self.trouble)
        answer = self._with_reason(answer, request)
        self.counts.update(("questions", *answer.degraded))
        if UNLOADABLE in answer.degraded.get("semantic", ""):
            self.counts["model"] += 1
        return answer

    async def _until_answered(self, request: Search | Around) -> Answer:
        """A process that ended under the question is asked once more, when it is back."""
        try:
            return await self._asked(request)
        except ChildDiedError:
            return await self._asked(request)

    async def _asked(self, request: Search | Around) -> Answer:
        self.process.calm.disturbed()
        whole = await self._ready_soon()
        await self.process.look()
        await self.process.catch_up()
        if isinstance(request, Around):
            request = await self._resolved(request)
        answer: Answer = await self.process.ask_open(request)
        return answer if whole else _without(answer, "index", self._lateness)

    async def _resolved(self, request: Around) -> Around:
        """The same with what the names at the place mean, as far as that is known in time."""
        places = await self.process.ask_open(Find(request.path, request.line, request.column))
        return request._replace(resolved=await self.resolving.resolve(places, request.deadline))

    async def _ready_soon(self) -> bool:
        """Whether the index is whole, or soon is. Raises ChildError."""
        try:
            async with asyncio.timeout(SOON):
                await self.process.index()
        except TimeoutError:
            return False
        return True

    def _with_reason(self, answer: Answer, request: Search | Around) -> Answer:
        """The process that holds the index does not know why there is no model."""
        in_words = isinstance(request, Search) and not request.question.has_place
        state = self.embedding.state
        told = answer.degraded.get("semantic", "")
        if not in_words or state.state == "off" or UNLOADABLE in told:
            return answer
        if not told and "semantic" in answer.tiers:
            return answer
        if state.state in ("missing", "failed"):
            return _without(answer, "semantic", f"{told}: {state.detail}" if told else state.detail)
        return answer if told else _without(answer, "semantic", OPENING)

    @property
    def _lateness(self) -> str:
        done, of = self.process.progress
        if self.process.is_ready:
            return f"no answer within {LIMIT:g} s"
        return f"{done} of {of} files are read so far" if of else "the index is being opened"


def _nothing(reason: str) -> Answer:
    return Answer((), (), {"index": reason})


def _without(answer: Answer, tier: str, reason: str) -> Answer:
    return replace(answer, degraded={**answer.degraded, tier: reason})
