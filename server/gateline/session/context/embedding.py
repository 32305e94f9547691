"""The semantic tier on the side of the server: has texts embedded by a child of low priority, in idle time.

The server carries bytes from one process to the other, and looks at none. Of several servers on one workspace
one embeds; the others take up what it leaves behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gateline.services.child import QUICK_DEATHS, Child, ChildDiedError, ChildError, last_line
from gateline.services.embedding.requests import Embed, Load
from gateline.services.embedding.weights import UNLOADABLE, MissingModelError, SpoiltModelError, Weights
from gateline.services.shielded import begun
from gateline.session.context.model import usable_weights
from gateline.session.context.process import ONE_THREAD
from gateline.session.context.requests import EmbedFew, Pending, Renew, Supply, Use
from gateline.session.live.idle import Calm
from gateline.settings import ContextSettings
from gateline.store.lease import Lease

log = logging.getLogger(__name__)

_AT_ONCE = 32
"""Texts of one errand: so much is lost at most when a process is killed."""
_LOADING = 180.0
"""Seconds in which a model is expected to be loaded, perhaps made first."""
_PATIENCE = 60.0
_ELSEWHERE = 10.0
"""Seconds after which is looked again for what another server embedded."""
_ANEW = 0.5
"""Seconds until what died is asked again."""
_UNUSED = 30.0
"""Seconds without work after which the embedder ends."""
_FEW = 8
"""Texts of an edit: somebody may ask for them next, and they are embedded at once."""
_CALM = 0.5
"""Seconds in which nobody types or asks, after which it goes on."""
_DISTURBED = 10.0
"""Seconds after which it goes on all the same."""
_QUIET = ONE_THREAD | {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
"""One thread, and no questions to servers elsewhere."""

Ask = Callable[[object], Awaitable[Any]]
"""Asks the process that holds the index. Raises ChildError."""


@dataclass
class SemanticState:
    """How the tier stands."""

    state: str = "waiting"
    """off, missing, waiting, working, ready or failed."""
    detail: str = ""
    done: int = 0
    of: int = 0


class Embedding:
    """Keeps the vectors of one workspace complete."""

    def __init__(self, ask: Ask, child: Child | None = None, calm: Calm | None = None) -> None:
        """`calm` knows when somebody types or asks: then it rests."""
        self.child = child or Child("gateline.services.embedding.far", nice=15, env=_QUIET)
        self.state = SemanticState()
        self._ask = ask
        self._calm = calm or Calm()
        self._weights: Weights | None = None
        self._folder = Path()
        self._lease: Lease | None = None
        self._loaded = 0
        """Which start of the child has its engine."""
        self._work: asyncio.Task[None] | None = None
        self._due = asyncio.Event()
        self._deaths = 0
        """So often died what was asked, without a vector between."""

    async def chosen(self, root: Path, settings: ContextSettings, folder: Path, *, trusted: bool) -> None:
        """Look for weights. `folder` is where models are kept that are made of them."""
        self._drop_work()
        self.child.reset()
        self._deaths = self._loaded = 0
        self._folder, self._weights = folder, None
        if settings.semantic == "off":
            self.state = SemanticState("off", 'context.semantic is "off" in the settings')
            return
        try:
            find = partial(usable_weights, settings, root, dict(os.environ), folder, trusted=trusted)
            self._weights = found = await asyncio.to_thread(find)
            self.state = SemanticState("waiting", f"{found.folder} ({found.origin})")
        except SpoiltModelError as error:
            self.state = SemanticState("failed", f"{UNLOADABLE}: {error}")
        except MissingModelError as error:
            self.state = SemanticState("missing", str(error))

    async def opened(self, index: Path) -> None:
        """The index, kept in this folder, was opened: from now on it knows the model."""
        if self._weights is None:
            return
        try:
            await self._ask(Use(self._weights, self._folder))
        except ChildError as error:
            self.state = SemanticState("failed", last_line(error))
            self._weights = None
            return
        if self._lease is None or self._lease.file.parent != index:
            self._give_back()
            self._lease = Lease(index / "embedding.lock")

    def wake(self) -> None:
        """There may be texts without a vector."""
        self._due.set()
        if self._weights is not None and (self._work is None or self._work.done()):
            self._work = begun(self._embed())

    def _drop_work(self) -> None:
        """What was begun with other weights neither goes on nor says how it stands."""
        if self._work is not None:
            self._work.cancel()
            self._work = None

    async def stop(self) -> None:
        """End all work and the process."""
        self._drop_work()
        self._give_back()
        await self.child.stop()

    async def _embed(self) -> None:
        """Until nothing is to be done for a while: then the process may go."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(_UNUSED):
                    await self._due.wait()
                self._due.clear()
                try:
                    await self._embed_all()
                except ChildDiedError as error:
                    await self._after(error)
                except ChildError as error:
                    self._failed(error)
                    break
        await self.child.close()

    async def _after(self, error: ChildDiedError) -> None:
        """What died is started again, by whoever asks; what dies again and again is left alone."""
        self._deaths += 1
        if self._deaths >= QUICK_DEATHS:
            self._failed(error)
        else:
            log.info("embedding goes on: %s", last_line(error))
            await asyncio.sleep(_ANEW)
            self._due.set()

    def _failed(self, error: ChildError) -> None:
        log.warning("the semantic tier rests: %s", last_line(error))
        self.state.state, self.state.detail = "failed", last_line(error)

    async def _embed_all(self) -> None:
        done = 0
        # What an edit brings does not wait for a process, which has perhaps to be started.
        if self.state.state == "ready" and not await self._ask(EmbedFew(_FEW)):
            return
        while batch := await self._wanted():
            if not await self._leads():
                self.state.state, self.state.detail = "working", "another server embeds this workspace"
                await asyncio.sleep(_ELSEWHERE)
                await self._ask(Renew())
                self._due.set()
                return
            await self._load()
            made = await self.child.ask(Embed(tuple(text for _, text in batch)), _PATIENCE)
            left = await self._ask(Supply(tuple(key for key, _ in batch), made))
            done, self._deaths = done + len(batch), 0
            self.state.state, self.state.done, self.state.of = "working", done, done + left
        if batch is not None:
            self.state.state = "ready"

    async def _wanted(self) -> list[tuple[str, str]] | None:
        """The texts to embed next, when nobody types or asks, unless they are few; None without a model.

        However low its priority: what embedding reads pushes out of the caches what others need.
        """
        batch: list[tuple[str, str]] | None = await self._ask(Pending(_FEW + 1))
        if batch and len(batch) > _FEW:
            await self._calm.wait(_CALM, _DISTURBED)
            batch = await self._ask(Pending(_AT_ONCE))
        return batch

    async def _load(self) -> None:
        """Have the engine ready in the process that lives now."""
        assert self._weights is not None, "nothing is embedded without weights"
        if self.child.pid is not None and self._loaded == self.child.starts:
            return
        engine = await self.child.ask(Load(self._weights, self._folder), _LOADING)
        self._loaded = self.child.starts
        self.state.detail = f"{engine}; {self._weights.folder} ({self._weights.origin})"
        await self._ask(Renew())

    async def _leads(self) -> bool:
        return self._lease is None or await asyncio.to_thread(self._lease.take)

    def _give_back(self) -> None:
        if self._lease is not None:
            self._lease.give_back()
