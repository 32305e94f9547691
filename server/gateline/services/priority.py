"""What `nice` said of a process, said to the kernel where it shares the processors by session.

Linux may count each session as one (its autogroup): a nice value then tells only between processes of the
same session. A far side has a session of its own, so without this an embedder would take half of a processor
from the server, however nice it is.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

_GROUP = Path("/proc/self/autogroup")
_TRIES, _PAUSE = 3, 0.1
"""Who is no administrator may say it ten times a second, all processes together."""


def share_by_session() -> None:
    """Give the session of this process its own nice value, if it leads it and is to be nice at all."""
    if not hasattr(os, "nice") or os.getsid(0) != os.getpid() or (nice := os.nice(0)) <= 0:
        return
    for attempt in range(_TRIES):
        time.sleep(_PAUSE if attempt else 0.0)
        # Without the file the kernel does not share by session.
        with contextlib.suppress(OSError):
            _GROUP.write_text(str(nice), encoding="ascii")
            return
