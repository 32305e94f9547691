"""The part of a long text that is judged by itself while repairs are searched for."""

from __future__ import annotations

from typing import NamedTuple

from gateline.repairs.syntax.judge import Failure, failure_of, parse_failure
from gateline.repairs.syntax.layout import Layout, layout_of

_SHORT = 60
"""Lines; a text or a definition that has no more is not cut."""
_CONTINUED = {"else", "elif", "except", "finally", "<<", "==", ">>", ")", "]", "}"}
"""A line that begins with one of these belongs to what stands above it."""
_DEFINITIONS = {"def", "class", "async", "@"}
_NEAR = 30
"""So many statements away a definition is looked for; then any statement of the level will do."""
_STRING = "triple-quoted"
_OPENERS = {"else": "if 1:", "elif": "if 1:", "except": "try:", "finally": "try:"}
_UNJUDGED = {"@", "case", "match", "<<", "==", ">>", "}", ")", "]"}
"""What begins with these says nothing by itself."""


class Window(NamedTuple):
    """Whole statements of one block: the characters of a text from `start` to `end`."""

    start: int
    end: int
    head: str = ""
    """Lines that make a text of its own of them."""
    is_late: bool = False
    """The compiler is asked, not the parser alone."""
    may_open: bool = False
    """They may end with the header of a block."""

    def failure(self, text: str) -> Failure | None:
        """Why these characters, which are now `text`, are refused."""
        failure = failure_of(text) if self.is_late else parse_failure(text, self.head)
        if failure is None or not self.may_open or not failure.is_indentation:
            return failure
        is_open = failure.message.startswith("expected an indented block") and failure.offset >= len(
            text.rstrip()
        )
        return None if is_open else failure


def windows_around(text: str, failure: Failure) -> tuple[Window, ...]:
    """The failing statement, when it can be judged by itself; then the definitions around it."""
    layout = layout_of(text)
    everything = Window(0, len(text), is_late=failure.is_late)
    if failure.is_late or not layout.statements:
        return (everything,)
    if _STRING in failure.message or layout.is_out_of_step:
        return (everything,)
    small = () if failure.is_indentation else _statement(layout, failure)
    if len(layout.starts) <= _SHORT:
        return (*small, everything)
    return (*small, _definitions(layout, failure))


def _statement(layout: Layout, failure: Failure) -> tuple[Window, ...]:
    """The failing statement; with the one before, when it fails at its beginning."""
    number = layout.statement_of(layout.token_at(failure.offset))
    last = layout.statements[number]
    at_start = layout.token_at(failure.offset) <= last.first + 1
    first = layout.statements[number - 1] if at_start and number else last
    word = layout.tokens[last.first].text
    if word in _UNJUDGED or (at_start and word in _OPENERS):
        return ()
    head = "if 1:\n" if min(first.width, last.width) else ""
    if first.width > last.width:
        head += f"{last.indent}if 1:\n"
    elif word in _OPENERS:
        head += f"{last.indent}{_OPENERS[word]} pass\n"
    start = layout.starts[first.line]
    end = last.end_line + 1
    stop = layout.starts[end] if end < len(layout.starts) else len(layout.text)
    return (Window(start, stop, head, may_open=True),)


def _definitions(layout: Layout, failure: Failure) -> Window:
    """The smallest run of whole definitions around a failure."""
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
    return Window(start, stop, "if 1:\n" if rows[first].width else "")
