"""Runs an enclosed program to its end, within a time and a number of bytes."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_MOST_BYTES = 20_000_000
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended, and what it wrote to standard output."""

    status: int
    written: bytes


async def finished(
    command: Sequence[str], folder: Path, seconds: float, given: bytes = b"", *, with_errors: bool = False
) -> Finished | None:
    """Run a command in a folder; `with_errors`: standard error is read as well.

    None where it cannot be started, writes more than 20 MB, or takes longer. Nothing of it is left then.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT if with_errors else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    try:
        written = await asyncio.wait_for(_exchanged(process, given), seconds)
        return None if written is None else Finished(await process.wait(), written)
    except TimeoutError:
        return None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _exchanged(process: asyncio.subprocess.Process, given: bytes) -> bytes | None:
    """What it writes until it closes its output; None beyond the limit."""
    if process.stdin is None or process.stdout is None:
        return None
    process.stdin.write(given)
    # One that does not read what it is given may answer all the same.
    with suppress(BrokenPipeError, ConnectionResetError):
        await process.stdin.drain()
    process.stdin.close()
    written = bytearray()
    while chunk := await process.stdout.read(_CHUNK):
        written += chunk
        if len(written) > _MOST_BYTES:
            return None
    await process.wait()
    return bytes(written)
