"""What a child process prints: kept from the person's terminal, logged, and its end kept as a reason."""

from __future__ import annotations

import asyncio
import contextlib
import logging

log = logging.getLogger(__name__)

_KEPT = 8192
"""Bytes that are remembered: enough for the end of a traceback."""


class Complaints:
    """Reads a standard error until it ends, so that the process never waits for a reader."""

    def __init__(self, module: str, stream: asyncio.StreamReader) -> None:
        self._module = module
        self._stream = stream
        self._last = b""
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        while block := await self._stream.read(_KEPT):
            self._last = (self._last + block)[-_KEPT:]
            log.info("%s: %s", self._module, block.decode(errors="replace").rstrip())

    async def ended(self, seconds: float) -> None:
        """Wait for the end, but not for a grandchild that holds the stream open."""
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(self._reading, seconds)

    @property
    def last_line(self) -> str:
        """The last line that says something: of a traceback, the error."""
        lines = self._last.decode(errors="replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")
