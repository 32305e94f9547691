"""The part of a long text that is judged by itself while repairs are searched for."""

from __future__ import annotations

from typing import NamedTuple

from gateline.repairs.syntax.judge import Failure, failure_of, parse_failure
from gateline.repairs.syntax.layout import Layout, layout_of
from gateline.repairs.syntax.tokens import Kind

_SHORT = 60
"""Lines; a text or a definition that has no more is not cut."""
_CONTINUED = {"else", "elif", "except", "finally", "<<", "==", ">>", ")", "]", "}"}
"""A line that begins with one of these belongs to what stands above it."""
_DEFINITIONS = {"def", "class", "async", "@"}
_NEAR = 30
"""So many statements away a definition is looked for; then any statement of the level will do."""
_STRING = "triple-quoted"


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
    everything = Window(0, len(text), is_late=failure.is_late)
    if len(layout.starts) <= _SHORT or failure.is_late or not layout.statements:
        return everything
    if _STRING in failure.message or _is_out_of_step(layout):
        return everything
    number = layout.statement_of(layout.token_at(failure.offset))
    before = max(number - 1, 0)
    first = _first(layout, before, 0, 0)
    end = _end(layout, number + 1, 0)
    if end - first > _SHORT // 2 and _word(layout, first) == "class" and first < before:
        width = layout.statements[first + 1].width
        inner = _first(layout, before, width, first + 1)
        first = first if inner == first + 1 else inner
        end = min(_end(layout, number + 1, width), end)
    return _window(layout, first, end)


def _first(layout: Layout, number: int, width: int, lowest: int) -> int:
    """The statement at or above one at which a definition of a level begins."""
    chosen = None
    for near in range(number, lowest - 1, -1):
        if _is_boundary(layout, near, width):
            chosen = near
            if _word(layout, near) in _DEFINITIONS or number - near > _NEAR:
                break
    chosen = lowest if chosen is None else chosen
    while chosen > lowest and _word(layout, chosen - 1) == "@":
        chosen -= 1
    return chosen


def _end(layout: Layout, number: int, width: int) -> int:
    """The statement at or below one at which the next definition of a level begins."""
    for near in range(number, len(layout.statements)):
        if _is_boundary(layout, near, width) and (
            _word(layout, near) in _DEFINITIONS or near - number > _NEAR
        ):
            return near
    return len(layout.statements)


def _is_boundary(layout: Layout, number: int, width: int) -> bool:
    return layout.statements[number].width <= width and _word(layout, number) not in _CONTINUED


def _word(layout: Layout, number: int) -> str:
    return layout.tokens[layout.statements[number].first].text


def _window(layout: Layout, first: int, end: int) -> Window:
    rows = layout.statements
    start = layout.starts[rows[first].line]
    stop = layout.starts[rows[end].line] if end < len(rows) else len(layout.text)
    return Window(start, stop, rows[first].width > 0)


def _is_out_of_step(layout: Layout) -> bool:
    """A string in three quotes is not closed, so that everything behind it is guesswork."""
    last = next((t for t in reversed(layout.tokens) if t.kind is not Kind.NEWLINE), None)
    if last is None or last.kind is not Kind.BROKEN:
        return False
    return last.text.lstrip("rbfuRBFU")[:3] in {'"""', "'''"}
