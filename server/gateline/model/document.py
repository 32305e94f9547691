"""One text, and all texts at one revision."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gateline.model.span import Span

# The Language Server Protocol knows three line ends; `str.splitlines` knows many more.
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def digest_of(text: str) -> str:
    """A short, stable name for a content: 32 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def split_lines(text: str) -> tuple[str, ...]:
    r"""The lines of `text` with their ends; only ``\n``, ``\r\n`` and ``\r`` end a line."""
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
        lines = self.lines
        start, end = (_offset(lines, p.line, p.column) for p in (span.start, span.end))
        return Document(self.path, self.text[:start] + text + self.text[max(start, end) :], version)


def _offset(lines: tuple[str, ...], line: int, column: int) -> int:
    """The index of a place in the joined lines; a place outside the text means its nearest end."""
    if line >= len(lines):
        return sum(map(len, lines))
    text = lines[line]
    return sum(map(len, lines[:line])) + min(column, len(text.rstrip("\r\n")))


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
