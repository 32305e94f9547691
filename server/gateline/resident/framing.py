"""Messages on a socket: JSON with its length before it, as in the Language Server Protocol."""

from __future__ import annotations

import json
from typing import Any

HEADER = b"Content-Length: "
END = b"\r\n\r\n"
LONGEST = 64_000_000
"""Bytes of a message; a longer one is refused before it is read."""


class FrameError(Exception):
    """What came is no message."""


def framed(message: dict[str, Any]) -> bytes:
    """A message as it is sent."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return HEADER + str(len(body)).encode() + END + body


def length_of(header: bytes) -> int:
    """The length that a header names. Raises FrameError."""
    for line in header.split(b"\r\n"):
        if line.lower().startswith(HEADER.lower()):
            number = line[len(HEADER) :].strip()
            if number.isdigit() and int(number) <= LONGEST:
                return int(number)
            raise FrameError(f"a message has at most {LONGEST} bytes, not {number[:20]!r}")
    raise FrameError("a message must begin with Content-Length")


def read_body(body: bytes) -> dict[str, Any]:
    """A message from its bytes. Raises FrameError."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"a message must be JSON: {error}") from None
    if not isinstance(message, dict):
        raise FrameError("a message must be a JSON object")
    return message
