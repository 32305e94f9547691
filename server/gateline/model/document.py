"""One text, and all texts at one revision."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from gateline.model.span import Position, Span

# The Language Server Protocol knows three line ends; `str.splitlines` knows many more.
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_ENDS = re.compile(r"\r\n|\r|\n")


def digest_of(text: str) -> str:
    """A short, stable name for a content: 32 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@lru_cache(maxsize=8)
def split_lines(text: str) -> tuple[str, ...]:
    r"""The lines of `text` with their ends; only ``\n``, ``\r\n`` and ``\r`` end a line."""
    # Remembered: the same few texts are asked for by every analyzer, and 30,000 lines take 10 ms.
    return tuple(_LINES.findall(text))


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
        start, end = (_offset(self.text, p) for p in (span.start, span.end))
        return Document(self.path, self.text[:start] + text + self.text[max(start, end) :], version)


def _offset(text: str, place: Position) -> int:
    """The index of a place; a place outside the text means its nearest end."""
    start = _line_start(text, place.line)
    return min(start + place.column, _line_end(text, start))


def _line_start(text: str, line: int) -> int:
    if "\r" in text:
        starts = itertools.islice(_ENDS.finditer(text), max(line - 1, 0), line)
        return 0 if line == 0 else next((m.end() for m in starts), len(text))
    start = 0
    for _ in range(line):
        start = text.find("\n", start) + 1
        if start == 0:
            return len(text)
    return start


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
