"""Work that goes on when nobody waits for it any more."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from gateline.services.shielded import begun, shielded


class Work:
    """Ends when it is told to."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.ended = False

    async def answer(self) -> int:
        await self.go_on.wait()
        self.ended = True
        return 42

    async def fail(self) -> int:
        await self.answer()
        raise ValueError("no answer")


@pytest.fixture
def complaints() -> list[dict[str, Any]]:
    """What the event loop says of failures that nobody asked for."""
    return []


async def _let_go(waiting: asyncio.Task[int], work: Work) -> None:
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    work.go_on.set()
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect()


async def test_who_waits_has_the_answer_or_the_failure() -> None:
    work = Work()
    work.go_on.set()
    assert await shielded(work.answer()) == 42
    with pytest.raises(ValueError, match="no answer"):
        await shielded(work.fail())


async def test_who_stops_waiting_does_not_stop_it() -> None:
    work = Work()
    await _let_go(asyncio.ensure_future(shielded(work.answer())), work)
    assert work.ended


async def test_a_failure_that_nobody_waits_for_is_not_complained_of(complaints: list[dict[str, Any]]) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
    work = Work()
    await _let_go(asyncio.ensure_future(shielded(work.fail())), work)
    task = begun(work.fail())
    await asyncio.wait({task})
    del task
    gc.collect()
    assert (work.ended, complaints) == (True, [])
