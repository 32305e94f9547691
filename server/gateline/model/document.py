"""One text, and all texts at one revision."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from gateline.model.span import Span

# The Language Server Protocol knows three line ends; `str.splitlines` knows many more.
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_ENDS = re.compile(r"\r\n|\r|\n")
_NO_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line only for `str.splitlines`, which is quicker where none of these is there."""


@lru_cache(maxsize=32)
def digest_of(text: str) -> str:
    """A short, stable name for a content: 32 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@lru_cache(maxsize=8)
def split_lines(text: str) -> tuple[str, ...]:
    r"""The lines of `text` with their ends; only ``\n``, ``\r\n`` and ``\r`` end a line."""
    # Remembered: the same few texts are asked for by every analyzer.
    if any(end in text for end in _NO_ENDS):
        return tuple(_LINES.findall(text))
    return tuple(text.splitlines(keepends=True))


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its address. `path` is relative to the workspace root, with `/` between its parts."""

    path: str
    text: str
    version: int | None = None
    """The client's version of an open buffer; None for a file on disk or in a commit."""
    digest: str = ""

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", digest_of(self.text))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends."""
        return split_lines(self.text)

    def apply(self, span: Span | None, text: str, version: int | None) -> Document:
        """A new document in which `span` (None: everything) is replaced by `text`."""
        if span is None:
            return Document(self.path, text, version)
        first, more = span.start.line, span.end.line - span.start.line
        reached, line = find_line(self.text, first)
        start = _index(self.text, line, span.start.column, there=reached == first)
        reached, line = find_line(self.text, more, line)
        end = _index(self.text, line, span.end.column, there=reached == more)
        return Document(self.path, self.text[:start] + text + self.text[max(start, end) :], version)


def find_line(text: str, lines: int, start: int = 0) -> tuple[int, int]:
    """The line so many lines after the one that starts at `start`, or else the last one.

    How many lines further it is, and the index at which it starts.
    """
    if lines <= 0:
        return 0, start
    if "\r" in text:
        further = 0
        for further, end in enumerate(itertools.islice(_ENDS.finditer(text, start), lines), 1):  # noqa: B007
            start = end.end()
        return further, start
    # One pass in C; what lies behind stays one piece.
    pieces = text[start:].split("\n", lines)
    return len(pieces) - 1, len(text) - len(pieces[-1])


def _index(text: str, line: int, column: int, *, there: bool) -> int:
    """The index of a column of the line that starts at index `line`; outside of the text, the nearest end."""
    return min(line + column, _line_end(text, line)) if there else len(text)


def _line_end(text: str, start: int) -> int:
    match = _ENDS.search(text, start)
    return match.start() if match else len(text)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All open documents at one revision, by path. Later revisions are new snapshots."""

    revision: int = 0
    documents: Mapping[str, Document] = field(default_factory=lambda: MappingProxyType({}))

    def replace(self, document: Document) -> Snapshot:
        """The next revision, in which `document` stands at its path."""
        return self._next({**self.documents, document.path: document})

    def remove(self, path: str) -> Snapshot:
        """The next revision, without the document at `path`."""
        return self._next({p: d for p, d in self.documents.items() if p != path})

    def _next(self, documents: dict[str, Document]) -> Snapshot:
        return replace(self, revision=self.revision + 1, documents=MappingProxyType(documents))
