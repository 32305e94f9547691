"""Several coroutines side by side, none of which outlives the others' failure."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


async def together(
    one: Coroutine[Any, Any, A], two: Coroutine[Any, Any, B], three: Coroutine[Any, Any, C]
) -> tuple[A, B, C]:
    """Their answers. Where one raises, the rest are cancelled and waited for before it is raised on."""
    tasks = (asyncio.ensure_future(one), asyncio.ensure_future(two), asyncio.ensure_future(three))
    await _all_of(tasks)
    return tasks[0].result(), tasks[1].result(), tasks[2].result()


async def each(coroutines: Iterable[Coroutine[Any, Any, A]]) -> list[A]:
    """As `together`, of any number."""
    tasks = tuple(map(asyncio.ensure_future, coroutines))
    await _all_of(tasks)
    return [task.result() for task in tasks]


async def _all_of(tasks: tuple[asyncio.Future[Any], ...]) -> None:
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
