"""The texts of a change that were not saved: a savepoint takes them in place of their files."""

from __future__ import annotations

from pathlib import Path

from gateline.model import Change, Document
from gateline.session.reading import read

_LARGEST = 10_000_000


def unsaved(root: Path, top: Path, change: Change) -> dict[str, str]:
    """By path from `top`, the work tree around `root`. Blocks."""
    rows = ((row.path, row.current) for row in change.files if row.current is not None)
    texts = {path: document.text for path, document in rows if not _is_saved(root, path, document)}
    above = root.resolve().relative_to(top.resolve()).as_posix()
    return {path if above == "." else f"{above}/{path}": text for path, text in texts.items()}


def _is_saved(root: Path, path: str, document: Document) -> bool:
    found = read(root, path, _LARGEST)
    return isinstance(found, Document) and found.digest == document.digest
