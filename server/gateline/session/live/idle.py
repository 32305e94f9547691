"""When nobody types or asks: what nobody waits for is done then."""

from __future__ import annotations

from math import inf

from gateline.session.live.scheduler import Clock, LoopClock


class Calm:
    """Knows when somebody did something last."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or LoopClock()
        self._last = -inf

    def disturbed(self) -> None:
        """Somebody types or asks, just now."""
        self._last = self._clock.time()

    async def wait(self, quiet: float, most: float = inf) -> None:
        """Until nothing was done for `quiet` seconds, or `most` seconds are over."""
        end = self._clock.time() + most
        while (left := min(self._last + quiet, end) - self._clock.time()) > 0:
            await self._clock.sleep(left)
