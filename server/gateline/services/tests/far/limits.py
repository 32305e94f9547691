"""What a run may take, and what a test took."""

from __future__ import annotations

import os
import sys

_FILE_SIZE = 256 << 20
"""Bytes of one file: a flood of output ends here."""


def limit(memory: int | None) -> None:
    """Hold this process and its children each to `memory` bytes more than this one has now."""
    try:
        import resource
    except ImportError:
        return
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, _FILE_SIZE)
    if memory and sys.platform.startswith("linux"):
        _lower(resource.RLIMIT_AS, memory + _pages(0))


def _lower(kind: int, value: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (most, hard))


def _pages(field: int) -> int:
    """Bytes of this process: 0 the whole address space, 1 what is in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[field]) * os.sysconf("SC_PAGE_SIZE")


class Peak:
    """The memory that one test adds to what was there, at its highest; None where it cannot be known."""

    def __init__(self) -> None:
        self._before = 0
        self.known = sys.platform.startswith("linux")

    def begin(self) -> None:
        """A test begins."""
        if self.known:
            try:
                # 5: the highest mark is put back to what is in memory now.
                with open("/proc/self/clear_refs", "w") as file:
                    file.write("5")
                self._before = _pages(1)
            except OSError:
                self.known = False

    def end(self) -> int | None:
        """Bytes since `begin`."""
        if not self.known:
            return None
        with open("/proc/self/status") as file:
            marks = [line for line in file if line.startswith("VmHWM")]
        return max(0, int(marks[0].split()[1]) * 1024 - self._before) if marks else None
