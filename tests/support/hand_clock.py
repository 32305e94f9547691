"""A clock of the scheduler that a test turns by hand."""

from __future__ import annotations

import asyncio
import heapq


class HandClock:
    """Time that moves only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, len(self._sleepers), future))
        await future

    async def turn(self, seconds: float) -> None:
        """Let `seconds` pass, waking sleepers in order and letting each run as far as it can."""
        end = self.now + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            self.now, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)
            await settle()
        self.now = end


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)
