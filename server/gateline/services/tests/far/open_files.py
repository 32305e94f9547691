"""Files that are open since the collection: each run gets its own, at the place where they were then.

Processes share the position in a file that was opened before they were forked, and what they write to one
that has no name. A second run would read on where the first one ended.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from typing import NamedTuple

_FOLDER = "/proc/self/fd"
_GONE = " (deleted)"


class _Open(NamedTuple):
    number: int
    path: str
    flags: int
    position: int


class OpenFiles:
    """Of one collection; `ours` is a file that all processes are to share."""

    def __init__(self, ours: int) -> None:
        self._ours = ours
        self._before = set(_numbers())
        self._noted: list[_Open] = []

    def note(self) -> None:
        """All that is to run was imported: these files are open."""
        for number in set(_numbers()) - self._before:
            with contextlib.suppress(OSError):
                is_file = stat.S_ISREG(os.fstat(number).st_mode)
                if is_file and not os.path.sameopenfile(number, self._ours):
                    self._noted.append(_described(number))

    def renew(self) -> None:
        """In a run: open them again."""
        for one in self._noted:
            with contextlib.suppress(OSError):
                _open_again(one)


def _numbers() -> list[int]:
    if not sys.platform.startswith("linux"):
        return []
    return [int(name) for name in os.listdir(_FOLDER)]


def _described(number: int) -> _Open:
    import fcntl

    flags = fcntl.fcntl(number, fcntl.F_GETFL) & (os.O_ACCMODE | os.O_APPEND)
    position = os.lseek(number, 0, os.SEEK_CUR)
    return _Open(number, os.readlink(f"{_FOLDER}/{number}"), flags, position)


def _open_again(one: _Open) -> None:
    is_gone = one.path.endswith(_GONE)
    fresh = _copy(one.number) if is_gone else os.open(one.path, one.flags | os.O_CLOEXEC)
    try:
        os.lseek(fresh, one.position, os.SEEK_SET)
        os.dup2(fresh, one.number, inheritable=os.get_inheritable(one.number))
    finally:
        os.close(fresh)


def _copy(number: int) -> int:
    """A file without a name, with what is in another one."""
    with open(f"{_FOLDER}/{number}", "rb") as source, tempfile.TemporaryFile(buffering=0) as fresh:
        shutil.copyfileobj(source, fresh)
        return os.dup(fresh.fileno())
