"""What is on disk, as an editor would open it."""

from __future__ import annotations

from pathlib import Path


def saved(root: str, path: str) -> str | None:
    """The text of a file below a root; None when there is none, or it is not UTF-8."""
    try:
        return Path(root, path).read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
