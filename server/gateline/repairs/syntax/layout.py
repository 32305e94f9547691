"""How a text is laid out: lines, indentation, and statements, guessed where brackets are in disorder."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gateline.repairs.syntax.tokens import CLOSERS, Kind, Token, tokens_of

HEADERS = frozenset(
    {"if", "elif", "else", "for", "while", "def", "class", "with", "try", "except", "finally", "async"}
)
"""Keywords that open a block."""
_NEVER_INSIDE = frozenset(
    {"def", "class", "return", "import", "with", "try", "raise", "while", "del", "pass", "break", "continue"}
    | {"global", "nonlocal", "assert", "except", "finally", "elif"}
)
"""Keywords that begin a statement and stand in no expression."""
_LINE = re.compile(r"([ \t\f]*)[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TAB = 8


def width_of(indent: str) -> int:
    """How many columns an indentation takes."""
    return len(indent.expandtabs(_TAB))


MARKS = ('"""', "'''")
_QUOTES = re.compile(r"\\.|#[^\n]*|\"{3}|'{3}")


def marks(text: str, mark: str) -> list[int]:
    """Where three quotes of a kind stand, whatever is open there."""
    return [m.start() for m in _QUOTES.finditer(text) if m[0] == mark]


@dataclass(frozen=True, slots=True)
class Statement:
    """A logical line: the tokens from `first` up to `end`, without the end of its last line."""

    first: int
    end: int
    line: int
    end_line: int
    indent: str
    unclosed: tuple[int, ...] = ()
    """Opening brackets that nothing closes, outermost first."""
    unopened: tuple[int, ...] = ()
    """Closing brackets that nothing opens, or that meet one of another kind."""

    @property
    def width(self) -> int:
        """The columns of its indentation."""
        return width_of(self.indent)


@dataclass(frozen=True)
class Layout:
    """A text with its tokens and statements."""

    text: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens."""
        return tokens_of(self.text)

    @cached_property
    def _lines(self) -> tuple[re.Match[str], ...]:
        return tuple(_LINE.finditer(self.text))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset of each line; after an end of line at the end of the text, an empty one follows."""
        return tuple(match.start() for match in self._lines)

    def line_at(self, offset: int) -> int:
        """The zero-based line of an offset."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def indent(self, line: int) -> str:
        """The blanks at the start of a line."""
        return self._lines[line][1] if 0 <= line < len(self._lines) else ""

    def is_blank(self, line: int) -> bool:
        """The line holds nothing, or a comment alone."""
        rest = self._lines[line][0].strip() if 0 <= line < len(self._lines) else ""
        return not rest or rest.startswith("#")

    def token_at(self, offset: int) -> int:
        """The index of the first token that ends behind an offset; of the last one at the end."""
        low = bisect_right(self.tokens, offset, key=lambda token: token.end)
        return min(low, len(self.tokens) - 1)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The logical lines, in order."""
        return tuple(_statements(self))

    @cached_property
    def is_out_of_step(self) -> bool:
        """A string in three quotes is not closed or not opened: everything behind it is guesswork.

        A quote is left open that holds such a mark: in other strings and in comments they come in any number.
        """
        broken = [token.text for token in self.tokens if token.kind is Kind.BROKEN]
        is_odd = (mark for mark in MARKS if len(marks(self.text, mark)) % 2)
        return any(mark in text for mark in is_odd for text in broken)

    def statement_of(self, token: int) -> int:
        """The index of the statement that holds a token, or else of the one before it."""
        return max(bisect_right(self.statements, token, key=lambda statement: statement.first) - 1, 0)


@lru_cache(maxsize=64)
def layout_of(text: str) -> Layout:
    """The layout of `text`."""
    return Layout(text)


class _Open:
    """A statement that is being read."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.stack: list[int] = []
        self.unopened: list[int] = []

    def read(self, layout: Layout, number: int) -> None:
        token = layout.tokens[number]
        if token.kind is Kind.OPEN:
            self.stack.append(number)
        elif token.kind is Kind.CLOSE:
            if self.stack and CLOSERS[layout.tokens[self.stack[-1]].text] == token.text:
                self.stack.pop()
            else:
                self.unopened.append(number)

    def closed(self, layout: Layout, end: int) -> Statement:
        while end > self.first + 1 and layout.tokens[end - 1].kind in {Kind.NEWLINE, Kind.COMMENT}:
            end -= 1
        first, last = layout.tokens[self.first], layout.tokens[end - 1]
        end_line = last.line + last.text.count("\n") if last.kind is not Kind.NEWLINE else last.line
        indent = layout.indent(first.line)
        return Statement(
            self.first, end, first.line, end_line, indent, tuple(self.stack), tuple(self.unopened)
        )


def _statements(layout: Layout) -> Iterator[Statement]:
    current: _Open | None = None
    line_began = True
    for number, token in enumerate(layout.tokens):
        if token.kind is Kind.NEWLINE:
            if current is not None and not current.stack:
                yield current.closed(layout, number)
                current = None
            line_began = True
            continue
        if token.kind is Kind.COMMENT:
            continue
        if current is not None and line_began and _begins_anew(layout, current, number):
            yield current.closed(layout, number)
            current = None
        current = current or _Open(number)
        current.read(layout, number)
        line_began = False
    if current is not None:
        yield current.closed(layout, len(layout.tokens))


def _begins_anew(layout: Layout, current: _Open, number: int) -> bool:
    """Whether a line that stands inside brackets begins a statement all the same."""
    token = layout.tokens[number]
    if token.text in _NEVER_INSIDE or (token.text == "@" and _after(layout, number) is Kind.NAME):
        return True
    if token.text in {"if", "for", "else", "async", "while", "with", "elif"} and _is_header(layout, number):
        return True
    first = layout.tokens[current.first]
    if width_of(layout.indent(token.line)) > width_of(layout.indent(first.line)):
        return False
    # At the left edge of a statement its brackets hold literals and closing brackets, hardly ever a name.
    return token.kind is Kind.NAME or token.text in {"from", "await", "yield", "print"}


def _after(layout: Layout, number: int) -> Kind | None:
    return layout.tokens[number + 1].kind if number + 1 < len(layout.tokens) else None


def _is_header(layout: Layout, number: int) -> bool:
    """Whether the line that starts at a token ends with a colon."""
    last = ""
    for token in layout.tokens[number:]:
        if token.kind is Kind.NEWLINE:
            break
        if token.kind is not Kind.COMMENT:
            last = token.text
    return last == ":"
