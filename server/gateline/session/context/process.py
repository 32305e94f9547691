"""The process that holds the index of a workspace: started, told what happens, and started again.

It starts with the first question, or some time after the workspace was opened; when it ends in whatever way,
the next question starts another, which takes up what was stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gateline.model import Document
from gateline.services.child import Child, ChildDiedError, ChildError, last_line
from gateline.services.shielded import begun, shielded
from gateline.session.context.requests import (
    Edited,
    Fill,
    Look,
    LookThrough,
    Open,
    Save,
    Step,
    Supply,
    Written,
)
from gateline.session.live.documents import Documents
from gateline.session.live.idle import Calm
from gateline.session.live.scheduler import Scheduler

log = logging.getLogger(__name__)

IDLE = 5.0
"""Seconds after the index was made in which nobody is disturbed."""
_PATIENCE = 60.0
"""Seconds in which the process is expected to have done one step."""
_FAREWELL = 3.0
"""Seconds that the end of a session waits for the index to be written."""
_FIRST = 0.05
"""Seconds in which whoever waited for the index has asked."""
_EXPECTED = 3.0
"""Seconds after which the process is started that is likely to be asked."""
_CALM = 1.0
"""Seconds without a question or an edit after which is done what nobody waits for."""
_STILL = 0.3
"""Seconds without an edit after which the process is told of the text."""
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
HOLDER = ONE_THREAD | {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 20),
}
"""The surroundings of the process that holds the index: what glibc was given back it gives back, too.

Else what was large for a moment, while all was read or a model was loaded, would stay: thirty megabytes.
"""

_LARGE = (Look, Edited, Written, Supply)
"""Requests that may hold whole texts, or thousands of names."""

Tell = Callable[[int, int], None]
"""Takes how many files were read, and of how many."""


class ContextProcess:
    """The far side of one workspace's context. Nothing here blocks the event loop."""

    def __init__(
        self,
        documents: Documents,
        scheduler: Scheduler,
        child: Child | None,
        opened: Callable[[Path], Awaitable[None]],
        changed: Callable[[], None],
    ) -> None:
        """`opened` is told where the index is kept, once it answers, `changed` of texts that came to it."""
        self.child = child or Child("gateline.session.context.child_main", nice=5, env=HOLDER)
        self._documents = documents
        self._scheduler = scheduler
        self._on_opened = opened
        self._on_changed = changed
        self.opening: Open | None = None
        """What is to be indexed; None where context is disabled (context.enabled)."""
        self._indexing: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[int] | None = None
        """Until it is done the process knows no open text."""
        self._filling: asyncio.Task[None] | None = None
        self._indexed = 0
        """Which start of the process has looked at all files; 0: none has."""
        self._looked = 0
        """Which start of the process knows the open texts."""
        self.calm = Calm()
        self._told: dict[str, Document] = {}
        self._written: set[str] = set()
        self._listeners: set[Tell] = set()
        self.progress = (0, 0)

    # What happens

    def reopen(self, opening: Open | None) -> None:
        """From the next question on index this; None: nothing. Who never asks has no index in memory."""
        self.child.reset()
        self._indexed, self.opening = 0, opening
        if opening is None:
            self.child.kill()

    def edited(self) -> None:
        """A document was opened, edited or closed. A process that does not run needs not know."""
        self.calm.disturbed()
        if self.is_looking:
            self._scheduler.submit("context-edits", self._caught_up, rest=_STILL)

    def written(self, paths: Sequence[str]) -> None:
        """Files were written, or git moved."""
        if self.is_indexing:
            # Its files may have been listed already.
            self._written.update(paths)
        if not self.is_looking:
            return
        if any(path.startswith(".git/") for path in paths):
            self._indexed = 0
            self._scheduler.submit("context", self._begin, rest=_STILL)
        else:
            self._written.update(paths)
            self._scheduler.submit("context-edits", self._caught_up, rest=_STILL)

    def expect(self) -> None:
        """A question is to be expected: make ready for it, when what a start has to do is done."""
        self._scheduler.submit("context", self._begin, rest=_EXPECTED)

    async def stop(self) -> None:
        """End all work and the process; what still waits for its time starts none."""
        self.opening = None
        if self._indexing is not None:
            self._indexing.cancel()
        if self._filling is not None:
            self._filling.cancel()
        if self.is_ready:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FAREWELL):
                    await self._save()
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

    @property
    def is_indexing(self) -> bool:
        """Whether files are being looked at."""
        return self._indexing is not None and not self._indexing.done()

    async def index(self, *, again: bool = False) -> None:
        """Until all files were looked at; `again`: also when they were. Raises ChildError."""
        if again and not self.is_indexing:
            self._indexed = 0
        if not self.is_ready:
            if self._indexing is None or self._indexing.done():
                self._indexing = begun(self._index())
            await asyncio.shield(self._indexing)

    async def look(self) -> None:
        """Until the process knows the open texts: long before all files were read. Raises ChildError."""
        if self._looking is not None:
            await asyncio.shield(self._looking)

    @contextlib.contextmanager
    def following(self, tell: Tell) -> Iterator[None]:
        """Meanwhile, `tell` hears how far indexing is."""
        self._listeners.add(tell)
        try:
            yield
        finally:
            self._listeners.discard(tell)

    async def ask(self, request: object) -> Any:
        """The answer to a request. Who stops waiting does not stop the process. Raises ChildError."""
        return await shielded(self._ask(request))

    async def ask_open(self, request: object) -> Any:
        """The same, of a process that has its index: none is started for it. Raises ChildDiedError."""
        if self.child.pid is None:
            raise ChildDiedError("the index is being reopened")
        return await self.ask(request)

    async def catch_up(self) -> None:
        """Tell the process what it has not seen: open texts, files that were written. Raises ChildError."""
        if not self.is_looking:
            return
        before, now = self._told, dict(self._documents.buffers)
        edited = tuple(one for path, one in now.items() if before.get(path) is not one)
        closed = tuple(path for path in before if path not in now)
        written, self._written, self._told = tuple(self._written), set(), now
        if edited or closed:
            await self.ask(Edited(edited, closed))
        if written:
            await self.ask(Written(written))
        if edited or closed or written:
            self._on_changed()

    # How it works

    async def _begin(self) -> None:
        if self.opening is not None:
            await _quietly(self.index())

    async def _index(self) -> None:
        """Until all was read as the settings are then: they may change meanwhile. Raises ChildError."""
        opening = self.opening
        if opening is None:
            raise ChildError("context is disabled (context.enabled)")
        start = await self._read_all(opening)
        if opening is not self.opening:
            await self._index()
            return
        self._indexed = start
        self._filling = begun(_quietly(self._fill(opening.folder)))
        self._scheduler.submit("context-save", self._kept, rest=IDLE)

    async def _read_all(self, opening: Open) -> int:
        """Which start of the process has read all files; less where other settings came meanwhile."""
        self.progress, self._written = (0, 0), set()
        self._looking = begun(self._look(opening))
        of = left = await self._looking
        start = self._looked
        while left and opening is self.opening:
            left = await self._ask(Step())
            self._tell(of - left, of)
        return start

    async def _look(self, opening: Open) -> int:
        """How many files are to be read."""
        await self._ask(opening)
        start = self.child.starts
        self._told = dict(self._documents.buffers)
        left: int = await self._ask(Look(tuple(self._told.values())))
        self._looked = start
        return left

    async def _fill(self, folder: Path) -> None:
        """Nobody waits for it: without these vectors answers say what is missing.

        The first question was waiting for the index, and is asked first.
        """
        await asyncio.sleep(_FIRST)
        await self._on_opened(folder)
        self._on_changed()
        while await self.ask_open(Fill()):
            pass

    def _tell(self, done: int, of: int) -> None:
        self.progress = (done, of)
        for tell in tuple(self._listeners):
            tell(done, of)

    async def _caught_up(self) -> None:
        await _quietly(self.catch_up())

    async def _kept(self) -> None:
        """What the next start wants to find is found out when nobody asks."""
        await self._save()
        await _quietly(self._looked_through())
        await self._save()

    async def _looked_through(self) -> None:
        while await self.ask_open(LookThrough()):
            await self.calm.wait(_CALM)

    async def _save(self) -> None:
        await _quietly(self.ask_open(Save()))

    async def _ask(self, request: object) -> Any:
        return await self.child.ask(request, _PATIENCE, is_small=not isinstance(request, _LARGE))


async def _quietly(work: Awaitable[object]) -> None:
    """Do something whose failure shows with the next question."""
    try:
        await work
    except ChildError as error:
        log.info("the index of the workspace: %s", last_line(error))
