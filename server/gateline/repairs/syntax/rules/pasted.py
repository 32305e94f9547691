"""What came in with a paste: prompts, marks of a merge, line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.repairs.syntax.site import Change, Replacement, Site

_PROMPT = re.compile(r"^([ \t]*)(>>> ?|\.\.\. ?|In \[\d+\]: ?|Out\[\d+\]: ?|\$ )", re.MULTILINE)
_NUMBER = re.compile(r"^([ \t]*)\d+[.:|]? ?", re.MULTILINE)
_MERGE = re.compile(
    r"^<{7}[^\n]*\n(?P<ours>.*?)(?:^\|{7}[^\n]*\n.*?)?^={7}[^\n]*\n(?P<theirs>.*?)^>{7}[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)\w*[ \t]*(?:\n|\Z)", re.MULTILINE)


def prompts(site: Site) -> Iterator[Change]:
    """Prompts of the interactive interpreter, all of them; those in strings are examples."""
    starts = {site.tokens[statement.first].start for statement in site.layout.statements}
    found = tuple((m.start(2), m.end(2), "") for m in _PROMPT.finditer(site.text) if m.start(2) in starts)
    if any(site.layout.line_at(start) == site.failure.line for start, _, _ in found):
        yield Change("prompts", found, site.at)


def merge(site: Site) -> Iterator[Change]:
    """Marks of a merge: one side is kept, or the other. Nothing tells which: it has one price."""
    blocks = list(_MERGE.finditer(site.text))
    for side in ("ours", "theirs"):
        kept: tuple[Replacement, ...] = tuple((m.start(), m.end(), m[side]) for m in blocks)
        if kept:
            yield Change("merge side", kept, site.at)


def fences(site: Site) -> Iterator[Change]:
    """The fences of a Markdown text, and numbers before every line."""
    found = tuple((m.start(), m.end(), "") for m in _FENCE.finditer(site.text))
    if found:
        yield Change("fences", found, site.at)
    lines = [m for m in re.finditer(r"[^\n]+", site.text) if m[0].strip()]
    numbers = [_NUMBER.match(m[0]) for m in lines]
    if len(lines) > 1 and all(numbers):
        spots = tuple((m.start(), m.start() + n.end(), "") for m, n in zip(lines, numbers, strict=True) if n)
        yield Change("line numbers", spots, site.at)


RULES = (prompts, merge, fences)
