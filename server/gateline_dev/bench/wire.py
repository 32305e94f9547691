"""Messages of the Language Server Protocol over the pipes of a process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from time import perf_counter

from gateline_dev.bench.buffer import Json

LIMIT = 1 << 24
"""Bytes kept while we are busy; a large message must not wait for us."""


def frame(message: Json) -> bytes:
    """The message as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


async def messages(stream: asyncio.StreamReader) -> AsyncIterator[tuple[Json, float]]:
    """What arrives, with the moment it was complete, until the other side closes."""
    while (length := await _length(stream)) is not None:
        body = await stream.readexactly(length)
        yield json.loads(body), perf_counter()


async def _length(stream: asyncio.StreamReader) -> int | None:
    """Of the next message; None at the end. Raises ValueError when a head does not tell it."""
    length = None
    while line := (await stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None and not stream.at_eof():
        raise ValueError("a message without Content-Length")
    return length
