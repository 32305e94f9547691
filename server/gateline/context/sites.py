"""What is to be resolved for a place: the names on its line, what the definition calls, who may call it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from keyword import iskeyword

import numpy as np

from gateline.context.chunking.plain import plain
from gateline.context.resolved import Caller, Places, Site
from gateline.context.values import Chunk, Kind
from gateline.context.view import View
from gateline.model.document import split_lines

_NAME = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"\b(?:def|class)[ \t]+$")
_CALLED = re.compile(r"[ \t]*\(")
_MOST_NAMES = 30
_MOST_CALLERS = 40
_COMMON = frozenset(name for kind in (dict, list, set, str, bytes, tuple, int, object) for name in dir(kind))
"""A method of this name may well be that of something built in."""


def places(
    view: View, path: str, line: int, column: int | None, text_of: Callable[[str], str | None]
) -> Places | None:
    """What is to be resolved at a zero-based place; None where there is no Python.

    `text_of` gives the text of a file of the index.
    """
    row = view.at(path, line) if path.endswith((".py", ".pyi")) and view.segments else None
    text = text_of(path) if row is not None else None
    if row is None or text is None:
        return None
    chunk = view.chunk(row)
    lines = split_lines(text)
    names = _names(lines, chunk, line, column)
    return Places(path, tuple(names), tuple(_callers(view, row, chunk, text_of)), sources(view))


def sources(view: View) -> tuple[str, ...]:
    """The folders from which imports start."""
    return view.modules.roots


def sites(lines: Sequence[str], first: int, last: int) -> Iterator[tuple[Site, bool]]:
    """The names of some lines, and whether each is called; not those that are defined there."""
    text = plain("".join(lines[first : last + 1]))
    for number, line in enumerate(text.split("\n")):
        for match in _NAME.finditer(line):
            if not iskeyword(match[0]) and not _DEFINED.search(line, 0, match.start()):
                is_called = _CALLED.match(line, match.end()) is not None
                yield Site(first + number, match.start(), match[0]), is_called


def _names(lines: Sequence[str], chunk: Chunk, line: int, column: int | None) -> list[Site]:
    """The names that matter, the one at the column first, then those of the line, then the nearest calls."""
    around = (chunk.first, chunk.last) if chunk.kind <= Kind.CLASS else (line, line)
    found = list(sites(lines, *around))
    here = [site for site, _ in found if site.line == line and site.name not in ("self", "cls")]
    at = [site for site in here if column is not None and covers(site, column)]
    calls = sorted((abs(site.line - line), site) for site, is_called in found if is_called)
    return list(dict.fromkeys((*at, *here, *(site for _, site in calls))))[:_MOST_NAMES]


def covers(site: Site, column: int) -> bool:
    """Whether a column of its line is in a name, or right behind it."""
    return site.column <= column <= site.column + len(site.name)


def _callers(view: View, row: int, chunk: Chunk, text_of: Callable[[str], str | None]) -> Iterator[Caller]:
    """Who calls something of the name, where it can mean something else: what stands near first."""
    number = view.names.numbers.get(chunk.short, -1)
    if chunk.kind > Kind.CLASS or number < 0:
        return
    if view.name_counts[number] <= 1 and chunk.short not in _COMMON:
        return
    for other in calling(view, row, number)[:_MOST_CALLERS]:
        path, caller = view.path(other), view.chunk(other)
        text = text_of(path) if path.endswith((".py", ".pyi")) else None
        if text is not None:
            found = sites(split_lines(text), caller.first, caller.last)
            calls = tuple(site for site, is_called in found if is_called and site.name == chunk.short)
            if calls:
                yield Caller(path, caller.first, calls)


def calling(view: View, row: int, number: int) -> list[int]:
    """The rows that call something of a name, in order: first those that stand near, then by their places."""
    path = view.path(row)
    near = {path, *view.modules.importers(path)}
    rows = np.unique(view.calls[view.calls[:, 1] == number, 0]).tolist()
    keys = [((p := view.path(other)) not in near, p, int(view.lines[other, 0]), other) for other in rows]
    return [other for *_, other in sorted(keys) if other != row]
