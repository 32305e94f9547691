"""The texts that were not saved: a savepoint takes them in place of their files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gateline.model import Document
from gateline.session.workspace.reading import read

_LARGEST = 10_000_000


def unsaved(root: Path, top: Path, open_texts: Mapping[str, str]) -> dict[str, str]:
    """Those of the open texts that differ from their files, by path from `top`, the work tree around `root`.

    Blocks.
    """
    texts = {path: text for path, text in open_texts.items() if not _is_saved(root, path, text)}
    above = root.resolve().relative_to(top.resolve()).as_posix()
    return {path if above == "." else f"{above}/{path}": text for path, text in texts.items()}


def _is_saved(root: Path, path: str, text: str) -> bool:
    found = read(root, path, _LARGEST)
    return isinstance(found, Document) and found.text == text
