"""Edits on texts: how they are applied, and what turns one text into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from gateline.model import Edit, Position, Span
from gateline.model.document import split_lines


def line_starts(text: str) -> list[int]:
    """The offset at which each line begins; one more for the end of the text."""
    starts = [0]
    for line in split_lines(text):
        starts.append(starts[-1] + len(line))
    return starts


def offset_of(starts: Sequence[int], place: Position) -> int:
    """The offset of a place; one outside of its line or of the text means the nearest end."""
    if place.line >= len(starts) - 1:
        return starts[-1]
    line = max(place.line, 0)
    return min(starts[line] + max(place.column, 0), starts[line + 1])


def position_at(starts: Sequence[int], offset: int) -> Position:
    """The place of an offset."""
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if starts[middle] <= offset:
            low = middle
        else:
            high = middle - 1
    return Position(low, offset - starts[low])


def edit_at(path: str, starts: Sequence[int], start: int, end: int, text: str) -> Edit:
    """The edit that replaces the characters from `start` to `end`."""
    return Edit(path, Span(position_at(starts, start), position_at(starts, end)), text)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits of its own path, all given against it.

    Raises ValueError when two of them overlap.
    """
    starts = line_starts(text)
    placed = sorted((offset_of(starts, e.span.start), offset_of(starts, e.span.end), e.text) for e in edits)
    pieces, last = [], 0
    for start, end, added in placed:
        if start < last or end < start:
            raise ValueError(f"edits overlap at {position_at(starts, start)}")
        pieces += [text[last:start], added]
        last = end
    return "".join([*pieces, text[last:]])


def apply_all(texts: Mapping[str, str], edits: Sequence[Edit]) -> dict[str, str]:
    """The texts of all paths that `edits` change. A path without a text starts empty."""
    paths = sorted({edit.path for edit in edits})
    return {path: apply(texts.get(path, ""), (e for e in edits if e.path == path)) for path in paths}


def between(path: str, before: str, after: str) -> tuple[Edit, ...]:
    """The edits that turn one text into another: by lines, each as narrow as it can be."""
    old, new = split_lines(before), split_lines(after)
    starts = line_starts(before)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    hunks = ((i, j, k, m) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal")
    return tuple(
        _narrowed(path, starts, starts[i], "".join(old[i:j]), "".join(new[k:m])) for i, j, k, m in hunks
    )


def _narrowed(path: str, starts: Sequence[int], at: int, old: str, new: str) -> Edit:
    head = _common(old, new)
    tail = _common(reversed(old[head:]), reversed(new[head:]))
    return edit_at(path, starts, at + head, at + len(old) - tail, new[head : len(new) - tail])


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    def same() -> Iterator[int]:
        for a, b in zip(one, other, strict=False):
            if a != b:
                return
            yield 1

    return sum(same())
