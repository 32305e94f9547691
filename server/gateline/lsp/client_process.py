"""Ends the server when the process of its client is gone, also where something holds the connection open.

An editor that crashes leaves its pipes to whatever inherited them: another child, a wrapper such as
`docker exec`. `initialize` names the process (`processId`); it is looked at every `EVERY` seconds, in a
thread, so that a blocked event loop cannot keep the server alive.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from threading import Event, Thread, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psutil import Process

EVERY = 2.0
"""Seconds between two looks: what it costs does not show."""
GRACE = 5.0
"""Seconds in which sessions may end by themselves; then all processes are killed."""
FAREWELL = 8.0
"""The same where the connection ended, or the client said `exit`."""
SILENCE = 8.0
"""Seconds without a word after `initialize` that end the server where the client's process is not seen."""


def watch(pid: int, heard: Event, gone: Callable[[], object], unseen: Callable[[], object]) -> None:
    """Begin to watch the client's process, and return at once. The functions are called in another thread.

    Args:
        pid: the process.
        heard: is set by the first message after `initialize`: whoever sent that lives.
        gone: called when it has ended; `GRACE` seconds later this process ends.
        unseen: called where it cannot be seen from here, so that only the connection tells of the client.

    """
    Thread(target=_watch, args=(pid, heard, gone, unseen), name="client", daemon=True).start()


def _watch(pid: int, heard: Event, gone: Callable[[], object], unseen: Callable[[], object]) -> None:
    process = find_client(pid)
    if process is not None:
        while is_alive(process):
            time.sleep(EVERY)
    else:
        unseen()
        if heard.wait(SILENCE):
            return
    end_at_latest(GRACE)
    gone()


def find_client(pid: int) -> Process | None:
    """The process with this number, if it can be the client; None where it cannot be seen from here.

    In a container the client's number means nothing, or some other process: one of ours, or, where a program
    from outside started us (`docker exec`), any that is not above us.
    """
    import psutil  # late: `initialize` is answered first

    own = psutil.Process()
    above = own.parents()
    try:
        found = psutil.Process(pid)
        is_ours = found == own or own in found.parents()
        is_other = is_ours or (found not in above and _is_started_from_outside([own, *above]))
    except psutil.Error:
        return None
    return None if is_other else found


def is_alive(process: Process) -> bool:
    """Whether it runs: neither gone, nor a zombie, nor another process of the same number."""
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:  # it is there, and nobody may look at it
        return True


def end_at_latest(seconds: float, code: int = 1) -> None:
    """End this process and all below it after a time, whatever it is doing then. Returns at once."""
    timer = Timer(seconds, _end_now, (code,))
    timer.daemon = True
    timer.start()


def _end_now(code: int) -> None:
    import psutil

    for process in psutil.Process().children(recursive=True):
        try:
            process.kill()
        except psutil.Error:
            continue
    os._exit(code)


def _is_started_from_outside(line: list[Process]) -> bool:
    """Whether a program in another namespace of processes started us: the first of our line shows its parent.

    There, the parent's number is 0, as only that of the namespace's first process is otherwise.
    """
    first = line[-1]
    return sys.platform == "linux" and (first.pid != 1 or len(line) == 1) and first.ppid() == 0
