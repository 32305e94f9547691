"""Work that goes on when nobody waits for it any more, and whose failure then concerns nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


async def shielded(work: Coroutine[Any, Any, _T]) -> _T:
    """The answer of some work. Who stops waiting does not stop it: others may need what it leaves behind.

    Raises what the work raises, to who still waits.
    """
    return await asyncio.shield(begun(work))


def begun(work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
    """Begin some work; a failure that nobody waited for is not reported as forgotten."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_seen)
    return task


def _seen(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()
