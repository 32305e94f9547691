"""The tools of a session, made anew when the settings change: none outlives its place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from gateline.services.shielded import begun
from gateline.session.toolset import Toolset


class Opening:
    """What a workspace is opened with now. `make` reads the settings as they are."""

    def __init__(self, make: Callable[[], Awaitable[Toolset]]) -> None:
        self._make = make
        self.tools: Toolset | None = None
        """None until they were made for the first time."""
        self._asked = 0
        self._turn = asyncio.Lock()
        self._endings: set[asyncio.Task[None]] = set()

    @property
    def current(self) -> Toolset:
        """Those of now; not to be asked for before they were made."""
        assert self.tools is not None, "asked before the session was ready"
        return self.tools

    async def anew(self) -> Toolset | None:
        """Tools with the settings of now; None where they were asked for once more since.

        Those that they replace are ended, also when nobody waits for it any more.
        """
        self._asked += 1
        mine = self._asked
        async with self._turn:
            if mine != self._asked:
                return None  # Who asked later reads what was written since.
            previous, self.tools = self.tools, await self._make()
            if previous is not None:
                await asyncio.shield(self._ended(previous))
            self.tools.begin()
        return self.tools if mine == self._asked else None

    async def stop(self) -> None:
        """End them, and wait for those before. Nobody may ask for others meanwhile."""
        if self.tools is not None:
            self._ended(self.tools)
        await asyncio.gather(*self._endings, return_exceptions=True)

    def _ended(self, tools: Toolset) -> asyncio.Task[None]:
        task = begun(tools.stop())
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)
        return task
