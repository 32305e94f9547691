"""Starting a collector: as a fork of the keeper, or as a program where a fork is not safe."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import Any

from . import collector
from .channel import Channel


def forbidden() -> str:
    """Why this system cannot keep collected tests; empty when it can."""
    return "" if sys.platform.startswith("linux") else "fork is not safe on " + sys.platform


def start(setup: dict[str, Any]) -> tuple[int, Channel]:
    """A collector: its identifier, and the channel to it."""
    if forbidden():
        return _spawn(setup)
    _preload()
    return collector.fork(setup)


def _preload() -> None:
    """Import once what every collector imports. A collector says better what is wrong when this fails."""
    try:
        import pytest  # noqa: F401
    except Exception:  # noqa: BLE001 - a broken installation may raise anything
        return


def _spawn(setup: dict[str, Any]) -> tuple[int, Channel]:
    near, far = Channel.pair()
    start_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py")
    program = [sys.executable, start_file, "--collect", str(far.descriptor)]
    inherited = (far.descriptor, setup["stack"])
    process = subprocess.Popen(program, pass_fds=inherited, start_new_session=True, stdin=subprocess.DEVNULL)
    far.close()
    with contextlib.suppress(OSError):
        # One that is gone already is found out where its answer is waited for.
        near.send(setup)
    return process.pid, near
