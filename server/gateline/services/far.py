"""The far side of a child process: answers framed messages on standard input.

Each message is a four-byte big-endian length and a pickle. Both ends are gateline's own code in
the same interpreter, so pickle's trust in its input is given. A request is answered by any number
of `("part", value)` and then one `("end", None)` or `("error", traceback)`.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, BinaryIO

from gateline.services import priority

HEADER = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Told:
    """A message that has no answer."""

    message: object


def framed(message: object) -> bytes:
    """A message as it is sent."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def serve(
    answer: Callable[[Any], Iterable[Any]],
    rest: Callable[[], None] = lambda: None,
    hear: Callable[[Any], None] = lambda message: None,
    *,
    hears_at_work: bool = False,
) -> None:
    """Answer requests until the near side is gone. `answer` yields the parts of its answer.

    After each answer `rest` does what nobody should wait for. `hear` is given what was `Told`, in its turn;
    where it `hears_at_work`, at once and by another thread.
    """
    requests, replies = _take_stdio()
    messages = _ahead(requests, hear) if hears_at_work else _messages(requests, hear)
    for message in messages:
        _answer(replies, answer, message)
        rest()


def _messages(stream: BinaryIO, hear: Callable[[Any], None]) -> Iterator[object]:
    """Requests as they come; what was `Told` is heard on the way."""
    is_first = True
    while (read := _read(stream)) is not None:
        if is_first:
            # Who asks has said by now how nice this process is to be.
            priority.share_by_session()
            is_first = False
        (message,) = read
        if isinstance(message, Told):
            hear(message.message)
        else:
            yield message


def _ahead(stream: BinaryIO, hear: Callable[[Any], None]) -> Iterator[object]:
    """The same, read by a thread of its own also while a request is answered."""
    coming: SimpleQueue[tuple[object] | None] = SimpleQueue()

    def read() -> None:
        for message in _messages(stream, hear):
            coming.put((message,))
        coming.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (found := coming.get()) is not None:
        yield found[0]


def _answer(replies: BinaryIO, answer: Callable[[Any], Iterable[Any]], message: object) -> None:
    try:
        for part in answer(message):
            _write(replies, ("part", part))
        _write(replies, ("end", None))
    except Exception:  # noqa: BLE001 - a request boundary: the caller is told
        _write(replies, ("error", traceback.format_exc()))


def _take_stdio() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes; whatever else prints goes to standard error and cannot break the stream."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the standard stream itself
    return requests, replies


def _read(stream: BinaryIO) -> tuple[Any] | None:
    """One message; None when the near side is gone, perhaps in the middle of it."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (size,) = HEADER.unpack(header)
    body = stream.read(size)
    return (pickle.loads(body),) if len(body) == size else None


def _write(stream: BinaryIO, message: object) -> None:
    """Send one message. Raises SystemExit when nobody is there to read it."""
    try:
        stream.write(framed(message))
        stream.flush()
    except BrokenPipeError:
        raise SystemExit(0) from None
