"""When a resident engine is to be replaced by a new one, which is built beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from gateline.services.later import Later
from gateline.services.types.runs.runs import IDLE

_GROWTH = 1.3
"""How much more memory than a new one an engine may take, whatever the cap."""
_SLOW_START = 2.0
"""Seconds of a start after which the cache is worth being brought up to date."""


class Renewal:
    """Has one renewal done at a time. `cap` is in bytes."""

    def __init__(self, later: Later, cap: int, renew: Callable[[], Awaitable[None]]) -> None:
        self._later = later
        self._cap = cap
        self._renew = renew
        self._under_way = False

    def started(self, seconds: float) -> None:
        """An engine was built in this time."""
        if seconds > _SLOW_START:
            self._after(IDLE)

    def answered(self, memory: int, fresh: int) -> None:
        """An engine takes this memory, and took `fresh` when it was new, in bytes."""
        limit = max(self._cap, int(_GROWTH * fresh))
        if memory > limit:
            self._after(0 if memory > 1.1 * limit else IDLE)

    def _after(self, seconds: float) -> None:
        if not self._under_way:
            self._under_way = True
            self._later.after(seconds, "the type checker", self._carry_out)

    async def _carry_out(self) -> None:
        try:
            await self._renew()
        finally:
            self._under_way = False
