"""Work that takes longer than an agent waits: it goes on, and is asked for by its handle."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine, Sequence
from typing import Any

from cachetools import LRUCache

from gateline.mcp.engine import EngineError

_KEPT = 16


class Jobs:
    """The jobs of one server."""

    def __init__(self) -> None:
        self._jobs: LRUCache[str, asyncio.Task[dict[str, Any]]] = LRUCache(_KEPT)
        self._told: LRUCache[str, Sequence[str]] = LRUCache(_KEPT)

    def begin(self, work: Coroutine[Any, Any, dict[str, Any]], told: Sequence[str] = ()) -> str:
        """Begin some work, which says in `told` what it does; its handle."""
        handle = uuid.uuid4().hex[:12]
        self._jobs[handle] = asyncio.ensure_future(work)
        self._told[handle] = told
        return handle

    def told(self, handle: str) -> list[str]:
        """What some work said that it does, the oldest first."""
        return [*self._told.get(handle, ())]

    async def result(self, handle: str, seconds: float) -> dict[str, Any] | None:
        """What it came to; None when it goes on. Raises EngineError, also for an unknown handle."""
        task = self._jobs.get(handle)
        if task is None:
            raise EngineError(f"handle {handle!r} is unknown or expired: call again without it")
        await asyncio.wait({task}, timeout=seconds)
        return task.result() if task.done() else None
