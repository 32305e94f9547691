"""Work that is done some time later, and put off when it is asked for again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from gateline.services.child import ChildError, last_line

log = logging.getLogger(__name__)


class Later:
    """Delayed work by name: of each name, only what was asked for last is done."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def after(self, seconds: float, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do something in so many seconds, instead of what waits under this name."""
        previous = self._tasks.pop(name, None)
        if previous is not None:
            previous.cancel()

        async def wait() -> None:
            await asyncio.sleep(seconds)
            # From here on nobody puts it off any more: it is not stopped half done.
            self._tasks.pop(name, None)
            try:
                await work()
            except ChildError as error:
                log.warning("%s could not be made ready: %s", name, last_line(error))

        self._tasks[name] = asyncio.ensure_future(wait())

    def cancel(self) -> None:
        """Forget what was not begun."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
