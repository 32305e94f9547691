"""Messages on a stream: a four-byte big-endian length, and as many bytes of JSON.

The frame is that of `gateline.services.far`. JSON, because the two ends may be different Pythons, and
because the far end runs code that is not ours: a pickle from there could do anything here.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from typing import Any, Iterator

HEADER = struct.Struct(">I")


def encode(message: Any) -> bytes:
    """One message, ready to be written."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return HEADER.pack(len(body)) + body


class Frames:
    """Puts messages together from what was read so far."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Each message that is complete now."""
        self._waiting += data
        while len(self._waiting) >= HEADER.size:
            end = HEADER.size + HEADER.unpack_from(self._waiting)[0]
            if len(self._waiting) < end:
                return
            body = bytes(self._waiting[HEADER.size : end])
            del self._waiting[:end]
            yield json.loads(body)


def write(descriptor: int, *messages: Any) -> None:
    """Send whole messages. Raises BrokenPipeError when nobody reads."""
    send(descriptor, b"".join(map(encode, messages)))


def send(descriptor: int, data: bytes) -> None:
    """Send all of what `encode` made. Raises BrokenPipeError when nobody reads."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def take_stdio() -> tuple[int, int]:
    """The descriptors of both pipes; whatever else prints goes to standard error."""
    replies = os.dup(1)
    os.dup2(2, 1)
    requests = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the standard stream itself
    return requests, replies
