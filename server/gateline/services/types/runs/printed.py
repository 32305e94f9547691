"""From what mypy prints to our own messages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import replace

from gateline.model.document import split_lines
from gateline.services.types.messages import Message, Note
from gateline.services.types.resident.scopes import scopes_of
from gateline.services.types.runs.overlay import Overlay

_LINE = re.compile(
    r"(?P<path>.+?):(?P<line>\d+):(?:(?P<column>\d+):(?:(?P<end_line>\d+):(?P<end_column>\d+):)?)? "
    r"(?P<severity>error|note|warning): (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)
_ON_ITS_OWN = ("Revealed ", "By default the bodies of untyped functions")
"""Notes that mypy gives without an error; they are not about what is wrong."""
_ONCE = (
    "See https://mypy.readthedocs.io/",
    'Hint: "python3 -m pip install ',
    '(or run "mypy --install-types" ',
    "(Using --follow-imports=error, ",
    "You may be running mypy in a subpackage",
)
"""Notes that mypy prints once a run, with whichever error it comes to first: that depends on its cache."""


def messages_of(printed: Iterable[str], root: str, overlay: Overlay) -> dict[str, tuple[Message, ...]]:
    """What mypy printed about files below `root`, by relative path, in order; notes go to their error."""
    found: dict[str, dict[Message, None]] = {}
    lines = _Lines(root, overlay)
    last: Message | None = None
    for match in filter(None, map(_LINE.match, printed)):
        path = os.path.relpath(match["path"], root).replace(os.sep, "/")
        if path.startswith(os.pardir + "/"):
            last = None
        elif match["severity"] != "note":
            last = _message(path, match, lines)
            found.setdefault(path, {})[last] = None
        elif last is not None and last.path == path and _belongs(match, last):
            del found[path][last]
            note = Note(int(match["line"]) - 1, match["text"], last.source)
            last = replace(last, notes=(*last.notes, note))
            found[path][last] = None
    return {path: tuple(sorted(rows, key=_order)) for path, rows in found.items()}


def _belongs(match: re.Match[str], error: Message) -> bool:
    """Mypy prints in the order of lines, so only a note on the error's own line is surely the error's."""
    return int(match["line"]) - 1 == error.line and not match["text"].startswith((*_ON_ITS_OWN, *_ONCE))


def _message(path: str, match: re.Match[str], lines: _Lines) -> Message:
    row, end_row = int(match["line"]) - 1, int(match["end_line"] or match["line"]) - 1
    return Message(
        path,
        row,
        int(match["column"] or 0) - 1,
        end_row,
        int(match["end_column"] or 0),
        match["text"],
        match["code"] or "",
        lines.get(path, row),
        lines.get(path, end_row),
        lines.symbol(path, row),
    )


class _Lines:
    """The lines of files below a root with what is around them, each file split once."""

    def __init__(self, root: str, overlay: Overlay) -> None:
        self._root = root
        self._overlay = overlay
        self._lines: dict[str, tuple[str, ...]] = {}
        self._scopes: dict[str, tuple[str, ...]] = {}

    def get(self, path: str, number: int) -> str:
        """Zero-based line `number` without its end; "" outside the text."""
        lines = self._of(path)
        return lines[number].rstrip("\r\n") if 0 <= number < len(lines) else ""

    def symbol(self, path: str, number: int) -> str:
        """The qualified name of the function or class around a zero-based line."""
        if path not in self._scopes:
            self._scopes[path] = scopes_of(self._of(path))
        scopes = self._scopes[path]
        return scopes[number] if 0 <= number < len(scopes) else ""

    def _of(self, path: str) -> tuple[str, ...]:
        if path not in self._lines:
            self._lines[path] = split_lines(self._overlay.text(os.path.join(self._root, path)) or "")
        return self._lines[path]


def _order(message: Message) -> tuple[int, int, str, str]:
    return message.line, message.column, message.code, message.text
