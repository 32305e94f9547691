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
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread, Timer

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


@dataclass(frozen=True)
class Process:
    """A process at one moment. Another one of the same number `began` at another time."""

    pid: int
    parent: int
    began: float
    is_zombie: bool


def look(pid: int) -> Process | None:
    """The process with this number; None where there is none that can be seen from here."""
    try:
        return _in_proc(pid) if sys.platform == "linux" else _by_psutil(pid)
    except (OSError, ValueError, LookupError):
        return None


def find_client(pid: int) -> Process | None:
    """The process with this number, if it can be the client; None where it cannot be seen from here.

    In a container the client's number means nothing, or some other process: one of ours, or, where a program
    from outside started us (`docker exec`), any that is not above us.
    """
    found, line = look(pid), _line(os.getpid())
    if found is None or found.pid == os.getpid() or os.getpid() in [each.pid for each in _line(pid)[1:]]:
        return None
    is_above = found in line
    return None if not is_above and _is_started_from_outside(line) else found


def is_alive(process: Process) -> bool:
    """Whether it runs: neither gone, nor a zombie, nor another process of the same number."""
    now = look(process.pid)
    return now is not None and now.began == process.began and not now.is_zombie


def _line(pid: int) -> list[Process]:
    """A process and those above it, up to the first."""
    line: list[Process] = []
    while (found := look(pid)) is not None and found not in line:
        line.append(found)
        pid = found.parent
    return line


def _in_proc(pid: int) -> Process:
    """Without psutil, which would stay in the server's memory for this alone."""
    state, parent, *rest = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return Process(pid, int(parent), float(rest[17]), state in b"ZX")


def _by_psutil(pid: int) -> Process:
    import psutil

    try:
        found = psutil.Process(pid)
        return Process(pid, found.ppid(), found.create_time(), found.status() == psutil.STATUS_ZOMBIE)
    except psutil.Error as error:
        raise LookupError(pid) from error


def end_at_latest(seconds: float, code: int = 1) -> None:
    """End this process and all below it after a time, whatever it is doing then. Returns at once."""
    timer = Timer(seconds, _end_now, (code,))
    timer.daemon = True
    timer.start()


def _end_now(code: int) -> None:
    import psutil  # late: hardly ever needed

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
    return sys.platform == "linux" and (first.pid != 1 or len(line) == 1) and first.parent == 0
