"""Cuts Markdown into sections: a heading and what follows it, up to the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gateline.context.values import Chunk, Kind
from gateline.model.document import split_lines

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")


def cut(path: str, text: str) -> list[Chunk]:
    """The sections in order; what stands before the first heading goes by the name of the file."""
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    starts = list(_headings(lines))
    if not starts or any(line.strip() for line in lines[: starts[0][0]]):
        starts.insert(0, (0, path.rpartition("/")[2]))
    ends = [first for first, _ in starts[1:]] + [len(lines)]
    sections = (_section(lines, first, end, name) for (first, name), end in zip(starts, ends, strict=True))
    return [section for section in sections if section.body.strip()]


def _section(lines: Sequence[str], first: int, end: int, name: str) -> Chunk:
    last = max((n for n in range(first, end) if lines[n].strip()), default=first)
    return Chunk(Kind.SECTION, name, first, last, name, "", "\n".join(lines[first : last + 1]))


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The line and the text of each heading outside of code."""
    fence = ""
    for number, line in enumerate(lines):
        if found := _FENCE.match(line):
            mark = found[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence):
                fence = ""
        elif fence:
            continue
        elif heading := _HEADING.match(line):
            yield number, heading[1]
        elif number and _UNDERLINE.match(line) and _is_title(lines, number - 1):
            yield number - 1, lines[number - 1].strip()


def _is_title(lines: Sequence[str], number: int) -> bool:
    """Whether a line that is underlined stands alone: a paragraph before a rule is no heading."""
    line = lines[number].strip()
    alone = number == 0 or not lines[number - 1].strip()
    return alone and bool(line) and not line.startswith(("-", "*", "|", "#", ">"))
