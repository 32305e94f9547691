"""Children that answer through a pipe, and end. Standard library alone."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any


def silenced() -> None:
    """Whatever tests print goes nowhere, and they can ask for nothing."""
    quiet = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(quiet, number)


def forked(seconds: float, begin: Callable[[int], None]) -> dict[str, Any]:
    """Fork, let the child begin with the end of a pipe, wait at most so long, and hand on what it says.

    Where `begin` returns, as in a child that goes on, an empty answer is returned.
    """
    source, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(source)
        os.setpgid(0, 0)
        begin(sink)
        return {}
    os.close(sink)
    try:
        told: dict[str, Any] = json.loads(_read(source, time.monotonic() + seconds))
    except ValueError:
        told = {"late": True}
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    os.close(source)
    os.waitpid(pid, 0)
    return told


def _read(source: int, end: float) -> bytes:
    rows = []
    while select.select([source], [], [], max(0.0, end - time.monotonic()))[0]:
        row = os.read(source, 1 << 16)
        if not row:
            break
        rows.append(row)
    return b"".join(rows)


def read_line(source: int, end: float | None = None) -> bytes:
    """A line from a pipe; nothing when it was closed, or none came in time."""
    rows = b""
    while not rows.endswith(b"\n"):
        left = None if end is None else max(0.0, end - time.monotonic())
        row = os.read(source, 1 << 16) if select.select([source], [], [], left)[0] else b""
        if not row:
            return b""
        rows += row
    return rows
