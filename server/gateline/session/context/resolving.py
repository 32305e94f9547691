"""The near side of what resolves names: asks its process in time, tells it what happens, and warms it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gateline.context.resolved import NOTHING, Places, Resolved
from gateline.model import Document
from gateline.services.child import Child, ChildDiedError, ChildError, last_line
from gateline.services.resolving.requests import Edited, GoOn, Resolve, Setup, Warm, Written
from gateline.services.shielded import begun, shielded
from gateline.session.live.documents import Documents
from gateline.session.live.idle import Calm
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.environment import environment_of
from gateline.session.workspace.workspace import Workspace
from gateline.store.folders import user_cache

MEMORY = {"PYTHONMALLOC": "malloc", "MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": str(1 << 20)}
"""The surroundings of the process: what trees took and is given back goes back to the system.

Python's own allocator kept nine tenths of it: of 130 MB, 121 stayed.
"""
STARTING = "the process that resolves names is being started"
ONCE = 3.0
"""Seconds for one question to a process that is started for it, by somebody who typed a command."""
_START = 0.7
"""Of them, for the start."""
_PATIENCE = 20.0
"""Seconds in which the process is expected to have answered anything."""
_SHARE = 0.9
"""Of the time that there is: the rest is for the way there and back."""
_STEP = 0.05
"""Seconds that a question may have to wait for one that was left behind."""
_CALM = 0.3
"""Seconds without a question or an edit after which files are read that nobody asked about."""


def setup_of(workspace: Workspace) -> Setup:
    """What the process has to know of a workspace. Blocks; no interpreter is run."""
    environment = environment_of(workspace.interpreter)
    return Setup(workspace.root, environment.search_path, environment.version, user_cache() / "parsed")


@dataclass
class _Told:
    """What a process was told since its start."""

    start: int = 0
    buffers: dict[str, Document] | None = None


class Resolving:
    """Resolves the names of one workspace. Nothing here blocks the event loop.

    The process starts with the first question. One that ended is started by the next.
    """

    def __init__(
        self, documents: Documents, scheduler: Scheduler, child: Child | None = None, calm: Calm | None = None
    ) -> None:
        self.child = child or Child("gateline.services.resolving.far", nice=5, env=MEMORY)
        self._documents = documents
        self._scheduler = scheduler
        self._calm = calm or Calm()
        self._setup: Setup | None = None
        self._told = _Told()
        self._warmed: set[str] = set()
        self._telling = asyncio.Lock()
        self._more: asyncio.Task[None] | None = None

    def reopen(self, setup: Setup | None) -> None:
        """From the next question on resolve in this workspace; None: nowhere."""
        self.child.reset()
        self._setup, self._told = setup, _Told()
        if setup is None:
            self.child.kill()

    def edited(self) -> None:
        """A document was opened, edited or closed. A process that does not run needs not know."""
        if self.is_running:
            self._scheduler.submit("resolving", self._warm, rest=_CALM)

    def written(self) -> None:
        """Files were written."""
        if self.is_running:
            self._scheduler.submit("resolving-written", self._forget, rest=_CALM)

    async def resolve(self, places: Places | None, seconds: float) -> Resolved:
        """What is known within so many seconds, and what is missing and why. Raises nothing."""
        if places is None or self._setup is None or not (places.names or places.callers):
            return NOTHING
        parts: list[Resolved] = []
        late = Resolved(missing=_late(seconds) if self.is_running else STARTING)
        try:
            async with asyncio.timeout(seconds):
                found = await shielded(self._resolve(places, seconds * _SHARE, parts.append))
        except TimeoutError:
            return parts[-1] if parts else late
        except ChildError as error:
            return Resolved(missing=last_line(error))
        return found

    async def stop(self) -> None:
        """End the process."""
        self._setup = None
        if self._more is not None:
            self._more.cancel()
        # Who waits for a turn still is not to start another.
        await self.child.dismiss()

    @property
    def is_running(self) -> bool:
        """Whether the process lives and knows the workspace."""
        return self.child.pid is not None and self._told.start == self.child.starts

    async def _resolve(self, places: Places, seconds: float, on_part: Callable[[Resolved], None]) -> Resolved:
        try:
            await self._tell()
            found: Resolved = await self._ask(Resolve(places, seconds), on_part)
        except ChildDiedError:
            # Killed, or out of memory: a new one is asked once.
            await self._tell()
            found = await self._ask(Resolve(places, seconds), on_part)
        if self._more is None or self._more.done():
            self._more = begun(self._go_on())
        return found

    async def _go_on(self) -> None:
        """What was late is there when the same is asked again; then what is open is read."""
        while await self._ask(GoOn(_STEP)):
            await self._calm.wait(_STEP)
        await self._warm()

    async def _tell(self) -> None:
        """Tell the process what it does not know: the workspace, open texts."""
        async with self._telling:
            await self._told_all()

    async def _told_all(self) -> None:
        if self._setup is None:
            raise ChildDiedError("the workspace was closed")
        if not self.is_running:
            self._warmed = set()
            await self._ask(self._setup)
            self._told = _Told(self.child.starts, {})
        before, now = self._told.buffers or {}, dict(self._documents.buffers)
        edited = tuple(one for path, one in now.items() if before.get(path) is not one and is_python(path))
        closed = tuple(path for path in before if path not in now and is_python(path))
        self._told.buffers = now
        if edited or closed:
            await self._ask(Edited(edited, closed))

    async def _warm(self) -> None:
        """Read what is open, one file after the other, when nobody waits."""
        if not self.is_running:
            return
        await self._tell()
        for path in [path for path in self._documents.buffers if is_python(path)]:
            if path not in self._warmed:
                self._warmed.add(path)
                await self._calm.wait(_CALM)
                await self._ask(Warm(path))

    async def _forget(self) -> None:
        if self.is_running:
            await self._ask(Written())

    async def _ask(self, request: object, on_part: Callable[[Any], None] | None = None) -> Any:
        return await self.child.ask(request, _PATIENCE, on_part, is_small=not isinstance(request, Edited))


async def resolved_once(workspace: Workspace, places: Places | None) -> Resolved:
    """The same for who asks one question: in a process that ends with it."""
    if places is None:
        return NOTHING
    child = Child("gateline.services.resolving.far", env=MEMORY)
    try:
        async with asyncio.timeout(ONCE):
            await child.ask(await asyncio.to_thread(setup_of, workspace), _PATIENCE, is_small=True)
            found: Resolved = await child.ask(
                Resolve(places, ONCE * _SHARE - _START), _PATIENCE, is_small=True
            )
    except TimeoutError:
        return Resolved(missing=_late(ONCE))
    except ChildError as error:
        return Resolved(missing=last_line(error))
    finally:
        await child.stop()
    return found


def is_python(path: str) -> bool:
    """Whether a file can hold names that are resolved."""
    return path.endswith((".py", ".pyi"))


def _late(seconds: float) -> str:
    return f"names were not resolved within {seconds * 1000:.0f} ms"
