"""The part of a long text that is judged by itself while repairs are searched for."""

from __future__ import annotations

from typing import NamedTuple

from gateline.repairs.syntax.judge import Failure, failure_of, parse_failure
from gateline.repairs.syntax.layout import Layout, Statement, layout_of
from gateline.repairs.syntax.tokens import Kind

_SHORT = 60
"""Lines; a text or a definition that has no more is not cut."""
_CONTINUED = {"else", "elif", "except", "finally"}
"""A line that begins with one of these belongs to what stands above it."""


class Window(NamedTuple):
    """Whole statements of one block: the characters of a text from `start` to `end`."""

    start: int
    end: int
    is_indented: bool = False
    is_late: bool = False
    """The compiler is asked, not the parser alone."""

    def failure(self, text: str) -> Failure | None:
        """Why these characters, which are now `text`, are refused."""
        return failure_of(text) if self.is_late else parse_failure(text, self.is_indented)


def window_around(text: str, failure: Failure) -> Window:
    """The smallest run of whole definitions around a failure; everything, when the text is short."""
    layout = layout_of(text)
    if len(layout.starts) <= _SHORT or failure.is_late or not layout.statements:
        return Window(0, len(text), is_late=failure.is_late)
    number = layout.statement_of(layout.token_at(failure.offset))
    before = max(number - 1, 0)
    first, end = _definition(layout, before, number, 0)
    opener = layout.statements[first]
    if end - first > _SHORT // 2 and layout.tokens[opener.first].text == "class" and first < before:
        width = layout.statements[first + 1].width
        inner, inner_end = _definition(layout, before, number, width, first + 1)
        first, end = (first if inner == first + 1 else inner), min(inner_end, end)
    return _window(layout, first, end)


def _definition(layout: Layout, before: int, number: int, width: int, lowest: int = 0) -> tuple[int, int]:
    """The statements of a block, from the one that holds `before` to the one that follows `number`."""
    rows = layout.statements
    first = before
    while first > lowest and not _is_boundary(layout, rows[first], width):
        first -= 1
    while first > lowest and layout.tokens[rows[first - 1].first].text == "@":
        first -= 1
    end = number + 1
    while end < len(rows) and not _is_boundary(layout, rows[end], width):
        end += 1
    return first, end


def _is_boundary(layout: Layout, statement: Statement, width: int) -> bool:
    return statement.width <= width and layout.tokens[statement.first].text not in _CONTINUED


def _window(layout: Layout, first: int, end: int) -> Window:
    rows = layout.statements
    start = layout.starts[rows[first].line]
    stop = layout.starts[rows[end].line] if end < len(rows) else len(layout.text)
    if _is_out_of_step(layout, rows[first]):
        stop = len(layout.text)
    return Window(start, stop, rows[first].width > 0)


def _is_out_of_step(layout: Layout, first: Statement) -> bool:
    """A string in three quotes is not closed, so that everything behind it is guesswork."""
    last = next((t for t in reversed(layout.tokens) if t.kind is not Kind.NEWLINE), None)
    return (
        last is not None and last.kind is Kind.BROKEN and last.text.lstrip("rbfuRBFU")[:3] in {'"""', "'''"}
    )
