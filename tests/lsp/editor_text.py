"""An editor's own text: the client's side of incremental sync, written without the server's code."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from gateline.lsp.convert import Encoding


def units(text: str, encoding: Encoding) -> int:
    """The length of a text as the encoding counts it."""
    if encoding is Encoding.UTF32:
        return len(text)
    name, width = ("utf-8", 1) if encoding is Encoding.UTF8 else ("utf-16-le", 2)
    return sum(len(char.encode(name, "surrogatepass")) // width for char in text)


class Text:
    """A buffer in which places are found by walking through every character."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self.encoding = encoding

    def edit(self, place: tuple[int, int, int, int] | None, new: str) -> lsp.TextDocumentContentChangeEvent:
        """Edit near a place, and say so as a client does."""
        if place is None:
            self.text = new
            return lsp.TextDocumentContentChangeWholeDocument(new)
        first, last = sorted((self._near(*place[:2]), self._near(*place[2:])))
        change = lsp.TextDocumentContentChangePartial(lsp.Range(self._said(first), self._said(last)), new)
        self.text = self.text[:first] + new + self.text[last:]
        return change

    def _lines(self) -> list[tuple[int, int]]:
        """Where each line starts and ends, its end not counted; after a last line end comes an empty line."""
        ends = [(m.start(), m.end()) for m in re.finditer("\r\n|\n|\r", self.text)]
        starts = [0, *(end for _, end in ends)]
        return list(zip(starts, [*(start for start, _ in ends), len(self.text)], strict=True))

    def _near(self, line: int, column: int) -> int:
        """The index of a place that exists, near the wanted one."""
        lines = self._lines()
        start, end = lines[min(line, len(lines) - 1)]
        return min(start + column, end)

    def _said(self, index: int) -> lsp.Position:
        lines = self._lines()
        number = max(n for n, (start, _) in enumerate(lines) if start <= index)
        return lsp.Position(number, units(self.text[lines[number][0] : index], self.encoding))
