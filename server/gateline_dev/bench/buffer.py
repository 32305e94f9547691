"""The text of one document as an editor holds it, and its edits in the protocol's words."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Place = tuple[int, int]
"""Line and code-point column, both from 0."""


@dataclass
class Buffer:
    """A document's text by lines, with the version that rises at every edit."""

    path: Path
    lines: list[str]
    version: int = 1
    incremental: bool = True
    uri: str = field(init=False)

    def __post_init__(self) -> None:
        self.uri = self.path.as_uri()

    @classmethod
    def of(cls, path: Path, text: str, *, incremental: bool = True) -> Buffer:
        """A buffer with this text."""
        return cls(path, text.split("\n"), incremental=incremental)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines)

    def replace(self, start: Place, end: Place, new: str) -> Json:
        """Put `new` in place of what is from `start` to `end`; gives the params of `didChange`."""
        span = {"start": self._position(start), "end": self._position(end)}
        before, after = self.lines[start[0]][: start[1]], self.lines[end[0]][end[1] :]
        self.lines[start[0] : end[0] + 1] = f"{before}{new}{after}".split("\n")
        self.version += 1
        change = {"range": span, "text": new} if self.incremental else {"text": self.text}
        return {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]}

    def _position(self, place: Place) -> Json:
        before = self.lines[place[0]][: place[1]]
        return {"line": place[0], "character": utf16_length(before)}


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units: the protocol counts columns in them unless agreed otherwise."""
    return len(text) + sum(char > "\uffff" for char in text)
