"""What is on disk, as an editor would open it."""

from __future__ import annotations

import os
from pathlib import Path

_COARSE = 2.0
"""Seconds by which some file systems round the time of a file."""


def saved(root: str, path: str) -> str | None:
    """The text of a file below a root; None when there is none, or it is not UTF-8."""
    try:
        return Path(root, path).read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


def is_older(path: str, than: float) -> bool:
    """Whether a file is there and was surely last written before a time in seconds."""
    try:
        return os.stat(path).st_mtime < than - _COARSE
    except OSError:
        return False
