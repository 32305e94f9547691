"""Places in a text: zero-based lines, and columns counted in code points."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters. `line` and `column` are zero-based; columns are code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters from `start` up to, and without, `end`."""

    start: Position
    end: Position

    @classmethod
    def of(cls, line: int, column: int, end_line: int, end_column: int) -> Span:
        """A span from four zero-based numbers."""
        return cls(Position(line, column), Position(end_line, end_column))

    @classmethod
    def of_line(cls, line: int, text: str) -> Span:
        """The visible part of line number `line`, whose text is `text`."""
        indent = len(text) - len(text.lstrip())
        return cls.of(line, indent, line, max(len(text.rstrip()), indent))
