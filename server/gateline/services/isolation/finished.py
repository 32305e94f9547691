"""Runs an enclosed program to its end, within a time and a number of bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gateline.services.process_group import end_group

_MOST_BYTES = 20_000_000
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended, and what it wrote to standard output."""

    status: int
    written: bytes


class UnfinishedError(Exception):
    """A program did not come to its end; the text says why."""


async def finished(
    command: Sequence[str], folder: Path, seconds: float, given: bytes = b"", *, with_errors: bool = False
) -> Finished:
    """Run a command in a folder; `with_errors`: standard error is read as well.

    Raises UnfinishedError where it cannot be started, writes more than 20 MB, or takes longer. Nothing of
    it is left then.
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
    except OSError as error:
        raise UnfinishedError(f"could not be started: {error.strerror}") from error
    try:
        written = await asyncio.wait_for(_exchanged(process, given), seconds)
        return Finished(await process.wait(), written)
    except TimeoutError:
        raise UnfinishedError(f"did not end within {seconds:.0f} s") from None
    finally:
        await end_group(process)


async def _exchanged(process: asyncio.subprocess.Process, given: bytes) -> bytes:
    """What it writes until it closes its output. Raises UnfinishedError beyond the limit."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(given)
    # One that does not read what it is given may answer all the same.
    with suppress(BrokenPipeError, ConnectionResetError):
        await process.stdin.drain()
    process.stdin.close()
    written = bytearray()
    while chunk := await process.stdout.read(_CHUNK):
        written += chunk
        if len(written) > _MOST_BYTES:
            raise UnfinishedError(f"wrote more than {_MOST_BYTES // 1_000_000} MB")
    await process.wait()
    return bytes(written)
