"""A context whose entering and leaving block, for who must not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from typing import TypeVar

_T = TypeVar("_T")


@asynccontextmanager
async def threaded(context: AbstractContextManager[_T]) -> AsyncIterator[_T]:
    """What the context gives; it is entered and left in a thread, and is not told how its body ended."""
    with ExitStack() as stack:
        entered = await asyncio.to_thread(stack.enter_context, context)
        try:
            yield entered
        finally:
            await asyncio.to_thread(stack.close)
