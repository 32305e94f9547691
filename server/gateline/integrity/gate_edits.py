"""Whether a file's change edits what judges: the settings of gateline or of any other tool that checks."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from gateline.integrity.enforcement.settings import Key, is_readable, read
from gateline.integrity.file_roles import is_configuration
from gateline.model.change import FileChange
from gateline.model.document import Document
from gateline.model.governing import governs_tool
from gateline.model.waiver import FILE

_WHOLE = frozenset({".secrets.baseline", "bandit.yaml", "bandit.yml", ".bandit.yaml", ".bandit.yml"})
"""Files of which everything decides what is found."""


def edits_gate(row: FileChange) -> bool:
    """Whether a setting that decides how a change is judged is another one than before, stricter or not.

    Comments, order and layout are nothing; a file that cannot be read on one side may say anything.
    """
    paths = {row.path, row.base.path if row.base else row.path}
    if FILE in paths or any(PurePosixPath(path).name in _WHOLE for path in paths):
        return _text(row.base) != _text(row.current)
    if not any(map(is_configuration, paths)) or _text(row.base) == _text(row.current):
        return False
    sides = [side for side in (row.base, row.current) if side is not None]
    return not all(map(is_readable, sides)) or _governing(row.base) != _governing(row.current)


def _governing(document: Document | None) -> dict[Key, Any]:
    if document is None:
        return {}
    return {(tool, key): value for (tool, key), value in read(document) if governs_tool(tool, key)}


def _text(document: Document | None) -> str:
    return document.text if document else ""
