"""A second engine that is built beside the one that answers, to take its place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from gateline.services.types.messages import Setup
from gateline.services.types.resident.open_texts import OpenTexts
from gateline.services.types.resident.process import EngineProcess

Taken = Callable[[EngineProcess, dict[str, str | None], int], Awaitable[bool]]
"""Has a new engine answer, which knows these texts and as many changes of files; whether it does now."""


class Succession:
    """`prime` brings the cache up to date; `take_over` has the new engine answer."""

    def __init__(
        self,
        setup: Setup,
        timeout: float,
        texts: OpenTexts,
        prime: Callable[[dict[str, str | None]], Awaitable[None]],
        take_over: Taken,
    ) -> None:
        self._setup = setup
        self._timeout = timeout
        self._texts = texts
        self._prime = prime
        self._take_over = take_over
        self.spare: EngineProcess | None = None
        """The one that is to take the engine's place."""

    async def renew(self) -> None:
        """Bring the cache up to date and build an engine from it: nobody waits for it. Raises ChildError."""
        self.spare = fresh = EngineProcess(self._setup, self._timeout)
        disk, is_taken = self._texts.disk, False
        try:
            await self._prime(dict(self._texts.newest))
            texts = dict(self._texts.newest)
            answer = await fresh.start(self._texts.crashing.without(texts))
            if not (answer.blocked or answer.no_data):
                is_taken = await self._take_over(fresh, texts, disk)
        finally:
            self.spare = None
            if not is_taken:
                await fresh.stop()

    async def stop(self) -> None:
        """End the one that is being built."""
        if self.spare is not None:
            await self.spare.stop()
