"""Between the client's columns and ours: the only place that knows UTF-8, UTF-16 and UTF-32 units.

Our columns count code points. The client's count the units of the encoding agreed on at
`initialize`. A place inside a character means the place before it; a place behind the end of a
line means that end, and one behind the last line the end of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from lsprotocol import types as lsp

from gateline.model import Position, Span
from gateline.model.document import find_line

_END = re.compile(r"\r\n|\r|\n")


class Encoding(StrEnum):
    """What a client's column counts."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def encoding_of(agreed: str | lsp.PositionEncodingKind | None) -> Encoding:
    """The encoding the client agreed to; the protocol's default is UTF-16."""
    return Encoding(str(getattr(agreed, "value", agreed))) if agreed is not None else Encoding.UTF16


def units_before(line: str, column: int, encoding: Encoding) -> int:
    """How many units stand before code point number `column` of `line`."""
    head = line[:column]
    if encoding is Encoding.UTF32 or head.isascii():
        return len(head)
    if encoding is Encoding.UTF8:
        return len(head.encode("utf-8", "surrogatepass"))
    return len(head) + sum(char > "\uffff" for char in head)


def column_at(line: str, units: int, encoding: Encoding) -> int:
    """The code point that stands `units` units into `line`."""
    if encoding is Encoding.UTF32 or line.isascii():
        return min(units, len(line))
    left = units
    for column, char in enumerate(line):
        width = units_before(char, 1, encoding)
        if left < width:
            return column
        left -= width
    return len(line)


def locate(text: str, place: lsp.Position, encoding: Encoding) -> tuple[Position, int]:
    """A client's place as ours, and as an index into `text`."""
    return _in_line(text, place, find_line(text, place.line), encoding)


def locate_both(text: str, range_: lsp.Range, encoding: Encoding) -> tuple[tuple[Position, int], ...]:
    """Both ends of a client's range, as `locate` gives them. An end before the start is the start."""
    number, start = find_line(text, range_.start.line)
    begin = _in_line(text, range_.start, (number, start), encoding)
    more, end = find_line(text, range_.end.line - range_.start.line, start)
    finish = _in_line(text, range_.end, (number + more, end), encoding)
    return begin, max(begin, finish) if range_.start <= range_.end else begin


def _in_line(
    text: str, place: lsp.Position, found: tuple[int, int], encoding: Encoding
) -> tuple[Position, int]:
    """A place in the line that was found for it; behind the last line it is the end of the text."""
    number, start = found
    line = _line_from(text, start)
    column = len(line) if number < place.line else column_at(line, place.character, encoding)
    return Position(number, column), start + column


def to_client(span: Span, lines: Sequence[str], encoding: Encoding) -> lsp.Range:
    """Our span as the client's range. A line that is not in `lines` counts as plain ASCII."""
    return lsp.Range(_place(span.start, lines, encoding), _place(span.end, lines, encoding))


def units_of(place: Position, lines: Sequence[str], encoding: Encoding) -> int:
    """How many units stand before our place in its line, if it is one of `lines`."""
    if not 0 <= place.line < len(lines):
        return place.column
    return units_before(lines[place.line].rstrip("\r\n"), place.column, encoding)


def _place(place: Position, lines: Sequence[str], encoding: Encoding) -> lsp.Position:
    return lsp.Position(place.line, units_of(place, lines, encoding))


def _line_from(text: str, start: int) -> str:
    match = _END.search(text, start)
    return text[start : match.start()] if match else text[start:]
