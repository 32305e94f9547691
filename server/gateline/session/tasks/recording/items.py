"""The items of a task list that stands in the workspace as `tasks.md`."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from gateline.session.workspace.reading import Skipped, decode

LISTS = ("tasks.md", "TASKS.md")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[(?P<mark>[ xX])\]\s+(?P<text>.+?)\s*$", re.MULTILINE)
_LARGEST = 200_000
_MOST = 200


def items_in(root: Path, written: Collection[str] | None = None) -> dict[str, str]:
    """`open` or `done` by text, in the order of the list; nothing when it is not among what was written.

    `written` None: it is read in any case. Blocks.
    """
    for name in LISTS:
        if (written is None or name in written) and (text := _text(root / name)):
            return parsed(text)
    return {}


def parsed(text: str) -> dict[str, str]:
    """The checkboxes of a Markdown text."""
    found = list(_ITEM.finditer(text))[:_MOST]
    return {match["text"]: "open" if match["mark"] == " " else "done" for match in found}


def _text(file: Path) -> str:
    try:
        found = decode(file.name, file.read_bytes(), _LARGEST) if file.is_file() else None
    except OSError:
        return ""
    return "" if found is None or isinstance(found, Skipped) else found.text
