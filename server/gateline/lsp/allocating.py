"""How the C library gives memory to the server's threads."""

from __future__ import annotations

import contextlib
import ctypes
import sys

_ARENA_MAX = -8
"""`M_ARENA_MAX` in glibc's malloc.h."""


def from_one_heap() -> None:
    """Let threads share one heap: glibc gives each one of its own, which keeps megabytes that were freed.

    Before any thread begins. Elsewhere than with glibc it changes nothing.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
