"""One restore of a workspace at a time: the second waits, and is told who is at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import portalocker

from gateline.store.savepoints.values import SavepointError, files_told

WAIT = 10.0
"""Seconds to wait for another restore to end."""


@contextmanager
def alone(file: Path, root: Path, wait: float) -> Iterator[None]:
    """Hold the lock `file` for a restore of `root`; `wait`: seconds until that is an error. Blocks.

    The operating system gives it back when this process ends. Raises SavepointError.
    """
    lock = portalocker.Lock(file, "a+", timeout=wait)
    try:
        with files_told():
            opened = lock.acquire()
    except portalocker.LockException:
        raise SavepointError(
            f"another restore of {root} is under way{_holder(file)}: nothing was restored; "
            "try again when it has ended"
        ) from None
    try:
        # On a full disk the others are not told whose it is.
        with suppress(OSError):
            opened.truncate(0)
            opened.write(f"process {os.getpid()}")
            opened.flush()
        yield
    finally:
        lock.release()


def _holder(file: Path) -> str:
    """Who holds it, in brackets."""
    try:
        held = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return f" ({held})" if held else ""
