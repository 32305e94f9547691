"""Ends a program of somebody else, with all that it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import Process

_CHUNK = 1 << 16
_ENDING = 5.0
"""Seconds for a process that was killed to be gone."""


async def end_group(process: Process) -> None:
    """End whatever is left of the group, also what the program started and did not wait for."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # asyncio tells of the end only when all pipes were read to theirs; what left the group may hold them.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_ENDING):
            await asyncio.gather(*(_emptied(one) for one in (process.stdout, process.stderr)))
            await process.wait()


async def _emptied(stream: asyncio.StreamReader | None) -> None:
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        while stream is not None and await stream.read(_CHUNK):
            pass
