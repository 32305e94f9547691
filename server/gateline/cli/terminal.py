"""What goes to a person's terminal: colours, progress, and text that cannot harm it."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate, takewhile
from threading import Lock, Timer
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.status import Status

Tell = Callable[[str], None]
_PATIENCE = 0.5
"""Seconds before progress is shown: quick work needs none."""

# Control characters could command the terminal; bidirectional ones show code in another order than it runs.
_HARMFUL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def wants_colour(choice: str, stream: TextIO) -> bool:
    """Whether to write colours; `auto` does as NO_COLOR, FORCE_COLOR, TERM and the stream say."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """The terminal's columns; 100 where there is no terminal."""
    return shutil.get_terminal_size((100, 24)).columns


def harmless(text: str) -> str:
    """`text` on one line, with a mark for each character that could command or deceive a terminal."""
    return _HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text)


def columns(text: str) -> int:
    """How many columns `text` takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def clipped(text: str, room: int) -> str:
    """The beginning of `text` that fits into `room` columns; an ellipsis tells that there is more."""
    if columns(text) <= room:
        return text
    ends = accumulate(map(columns, text))
    fitting = sum(1 for _ in takewhile(lambda end: end <= room - 1, ends))
    return f"{text[:fitting]}…" if room > 0 else ""


def emit(text: str, *, machine: bool = False) -> None:
    """Write to standard output; for a machine in UTF-8. A reader that has gone away is no mistake."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        if machine:
            stream.reconfigure(encoding="utf-8", newline="\n")
        stream.reconfigure(errors="backslashreplace" if machine else "replace")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # `head` has seen enough. The interpreter flushes once more at its end, which must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def given() -> str:
    """All of standard input."""
    return sys.stdin.read()


@contextmanager
def progress() -> Iterator[Tell]:
    """A function that tells a step. Steps show on standard error when that is a terminal, after a moment."""
    if not sys.stderr.isatty():
        yield lambda _step: None
        return
    shown = _Progress()
    timer = Timer(_PATIENCE, shown.begin)
    timer.daemon = True
    timer.start()
    try:
        yield shown.tell
    finally:
        timer.cancel()
        shown.end()


class _Progress:
    """A status line that may begin in the timer's thread, and never after its end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._step = "looking at the change"
        self._status: Status | None = None
        self._over = False

    def tell(self, step: str) -> None:
        with self._lock:
            self._step = step
            if self._status is not None:
                self._status.update(_plain(step))

    def begin(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._over:
                self._status = Console(stderr=True).status(_plain(self._step))
                self._status.start()

    def end(self) -> None:
        with self._lock:
            self._over = True
            if self._status is not None:
                self._status.stop()


def _plain(step: str) -> str:
    from rich.markup import escape

    return escape(harmless(step))
