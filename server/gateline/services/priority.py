"""Which processes make room for others: by their nice value, and where processors are shared by session.

Linux may count each session as one (its autogroup): a nice value then tells only between processes of the
same session. A far side has a session of its own, so without this an embedder would take half of a processor
from the server, however nice it is.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from threading import Thread

_GROUP = Path("/proc/self/autogroup")
_TRIES, _PAUSE = 20, 0.1
"""Who is no administrator may say it ten times a second, all processes together."""


IDLE = 15
"""From this nice value on a process is for idle time only."""


def lower(pid: int, by: int) -> None:
    """Make a process that has just begun nicer than this one; nothing, where there is no such thing."""
    with contextlib.suppress(ProcessLookupError):
        if by and hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, pid, min(os.getpriority(os.PRIO_PROCESS, 0) + by, 19))
        if by >= IDLE and sys.platform == "linux":
            # A processor that does only such work counts as free: what is to be done at once begins there.
            os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))


def share_by_session() -> None:
    """Give the session of this process its own nice value, if it leads it and is to be nice at all."""
    if hasattr(os, "nice") and os.getsid(0) == os.getpid() and (nice := os.nice(0)) > 0 and not _said(nice):
        Thread(target=_say_later, args=(nice,), daemon=True).start()


def _say_later(nice: int) -> None:
    for _ in range(_TRIES):
        time.sleep(_PAUSE)
        if _said(nice):
            return


def _said(nice: int) -> bool:
    """Whether it need not be said again: only where others said theirs just now."""
    try:
        _GROUP.write_text(str(nice), encoding="ascii")
    except BlockingIOError:
        return False
    except OSError:
        pass  # The kernel does not share by session, or takes it from nobody.
    return True
