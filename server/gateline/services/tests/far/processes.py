"""Ending processes, with all that they started."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Iterable


def end_group(leader: int) -> None:
    """Kill a process group at once."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_children(spared: Iterable[int] = ()) -> None:
    """Kill all children of this process but these, and those that become its children by that."""
    spared = set(spared)
    while True:
        children = [child for child in children_of(os.getpid()) if child not in spared]
        if not children:
            return
        for child in children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def children_of(process: int) -> list[int]:
    """The processes that it started, where Linux tells them; none elsewhere."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        # It ended meanwhile, or this is not Linux.
        return found
    return found


def count_below(process: int) -> int:
    """How many processes it started, and those started."""
    below, waiting = 0, [process]
    while waiting:
        children = children_of(waiting.pop())
        below += len(children)
        waiting += children
    return below


def end(process: int) -> int:
    """Kill a child and its group, if it leads one; how it ended, as `os.waitpid` says."""
    end_group(process)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)
    try:
        return os.waitpid(process, 0)[1]
    except ChildProcessError:
        return 0


def ending(status: int) -> str:
    """How a process ended, for people."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"killed by {signal.Signals(number).name}"
        except ValueError:
            return f"killed by signal {number}"
    return f"exit code {os.WEXITSTATUS(status)}"
