"""Starts a resident engine, and waits until it can be asked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO, TypeVar

from gateline.resident.places import make_own, workspace_folder

_T = TypeVar("_T")
_EVERY = 0.03
"""Seconds between two looks whether it is there."""
LOG = "engine.log"


def started(root: str, running: Callable[[], _T | None], until: float) -> _T:
    """What `running` finds after an engine was started. Raises LateError, GoneError, PlaceError.

    Another process may start one at the same moment: one of both ends at once, and this is no failure.
    """
    from gateline.resident.connection import GoneError, LateError

    folder = workspace_folder(root)
    try:
        make_own(folder)
        engine = _spawned(root, folder)
    except OSError as error:
        raise GoneError(f"no engine can be started for {root}: {error}") from None
    while time.monotonic() < until:
        if (found := running()) is not None:
            return found
        if engine.poll():
            raise GoneError(f"the engine of {root} ended while starting: {_said(folder)}")
        time.sleep(_EVERY)
    raise LateError(f"the engine of {root} is still starting")


def _spawned(root: str, folder: str) -> subprocess.Popen[bytes]:
    """The process, which nothing ties to this one."""
    # Without -P a module in the folder it starts in would be taken for one of the library.
    command = [sys.executable, "-P", "-m", "gateline", "server", "--resident", root]
    with _log(folder) as said:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )


def _log(folder: str) -> IO[bytes]:
    try:
        return open(os.path.join(folder, LOG), "wb")
    except OSError:
        return open(os.devnull, "wb")


def _said(folder: str) -> str:
    try:
        with open(os.path.join(folder, LOG), encoding="utf-8", errors="replace") as stream:
            lines = stream.read().strip().splitlines()
    except OSError:
        lines = []
    return lines[-1] if lines else "it said nothing"
