"""Moves a reported error along with repairs of others in the same texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from gateline.model import Frame, Position, Problem, Span


def moved(problem: Problem, old: Mapping[str, str], new: Mapping[str, str]) -> Problem | None:
    """The problem of `old` texts at its place in the `new` ones; None when its own line is another now."""
    frames = tuple(_frame(frame, old, new) for frame in problem.frames)
    if problem.span is None:
        return replace(problem, frames=frames)
    line = _line(problem.line, problem.path, old, new)
    return None if line is None else replace(problem, frames=frames, span=_lower(problem.span, line))


def _frame(frame: Frame, old: Mapping[str, str], new: Mapping[str, str]) -> Frame:
    line = _line(frame.line, frame.path, old, new)
    if line is None or line == frame.line:
        return frame
    return replace(frame, line=line, span=None if frame.span is None else _lower(frame.span, line))


def _lower(span: Span, line: int) -> Span:
    """The span, begun in another line."""
    by = line - span.start.line
    start, end = span.start, span.end
    return Span(Position(start.line + by, start.column), Position(end.line + by, end.column))


def _line(line: int, path: str, old: Mapping[str, str], new: Mapping[str, str]) -> int | None:
    before, after = old.get(path), new.get(path)
    if before is None or after is None or before == after:
        return line
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for block in matcher.get_matching_blocks():
        if block.a <= line < block.a + block.size:
            return block.b + line - block.a
    return None
