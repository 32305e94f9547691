"""Documents outside the workspace go by their URI instead of a path below the root."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

_FILE, _UNTITLED = "file:", "untitled:"


def is_elsewhere(path: str) -> bool:
    """Whether a document's path is a URI: it lies outside the root, or in no file at all."""
    return path.startswith((_FILE, _UNTITLED))


def file_elsewhere(path: str) -> Path | None:
    """The file that a document outside the root lies in; None when it was never saved."""
    return Path(unquote(urlsplit(path).path)) if path.startswith(_FILE) else None
