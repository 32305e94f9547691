"""Whether what a lesson is about is still there: its file, and the symbol in it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from gateline.memory.lesson import Anchor
from gateline.session.errors import UsageError

_LARGEST = 5_000_000
"""Bytes of a file that is looked into for a symbol."""


class Anchors:
    """The anchors of one workspace."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def gone(self, anchor: Anchor) -> str:
        """What of an anchor is not there any more; empty while all is."""
        if not anchor.file:
            return ""
        file = self._root / anchor.file
        try:
            status = file.stat()
        except OSError:
            return f"{anchor.file} is gone"
        if not anchor.symbol or status.st_size > _LARGEST or file.suffix not in (".py", ".pyi"):
            return ""
        there = _has_symbol(str(file), anchor.symbol, status.st_mtime_ns, status.st_size)
        return "" if there else f"{anchor.symbol} is gone from {anchor.file}"

    def checked(self, anchor: Anchor) -> Anchor:
        """An anchor of something that is there. Raises UsageError."""
        if gone := self.gone(anchor):
            raise UsageError(f"{gone}: give one that exists, or remove it")
        return anchor


@lru_cache(maxsize=4_096)
def _has_symbol(file: str, symbol: str, _time: int, _size: int) -> bool:
    """Whether a file, as it was at a time, defines the last name of `symbol`."""
    name = re.escape(symbol.rpartition(".")[2])
    defined = rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|^[ \t]*(?:self\.)?{name}[ \t]*(?::|=)"
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return re.search(defined, text, re.MULTILINE) is not None
