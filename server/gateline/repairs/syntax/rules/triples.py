"""Texts in three quotes that are not closed, or begin with fewer than three.

From such a mistake on, code is taken for text and text for code. So every place at which one more mark would
set it right again is judged by what the strings and the code between them would look like then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.repairs.syntax.layout import MARKS, marks
from gateline.repairs.syntax.site import Change, Site, insert

_SHORT = re.compile(r"\\.|#[^\n]*|\"{3}|'{3}|(?P<short>\"\"?|''?)")
_CODE = re.compile(
    r"^[ \t]*(?:def \w+\(|class \w+|return\b|import \w|from \w+ import |(?:if|elif|for|while|with) .*:[ \t]*$"
    r"|else:|try:|@\w|[\w.]+ = |raise \w+|assert )",
    re.MULTILINE,
)
_PROSE = re.compile(
    r"^[ \t]*(?:[A-Z][a-z]+,? [a-z]+ |:\w+ \w+:|(?!(?:if|for|from|import|return|while|with|elif|not|yield"
    r"|raise|del|assert|global|await|async|class|def|lambda|else)\b)[a-z]+ [a-z]+ [a-z]+[ .,])",
    re.MULTILINE,
)
_GAPS = 5
"""So many gaps up to the failure are looked at: text that is taken for code fails soon."""
_LINES = 12
"""And so many lines of each."""


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two marks."""

    start: int
    end: int
    is_text: bool
    """It is a string, if nothing is wrong before it."""


def marked(site: Site) -> Iterator[Change]:
    """One mark more, where it makes text of what is text and code of what is code."""
    if site.kind != "triple":
        return
    for mark in MARKS:
        gaps = _gaps(site.text, mark)
        if len(gaps) % 2 == 0:
            # As many marks open as close.
            near = [n for n, gap in enumerate(gaps) if gap.start - 3 <= site.failure.offset][-_GAPS:]
            best, *others = sorted(near, key=_oddities(site.text, gaps).__getitem__)
            for number in (best, *others):
                rule = _in_text if gaps[number].is_text else _in_code
                yield from rule(site, gaps[number], mark, "likely" if number == best else "unlikely")


def _gaps(text: str, mark: str) -> list[_Gap]:
    """The pieces between the marks of a kind; an even number of them, when a mark is missing."""
    spots = marks(text, mark)
    ends = [*spots, len(text)]
    starts = [0, *(spot + 3 for spot in spots)]
    return [_Gap(a, b, n % 2 == 1) for n, (a, b) in enumerate(zip(starts, ends, strict=True))]


def _oddities(text: str, gaps: list[_Gap]) -> list[int]:
    """For each gap how much looks odd when a mark is put there: all behind it change their roles."""
    as_text = [len(_CODE.findall(text, g.start, g.end)) for g in gaps]
    as_code = [len(_PROSE.findall(text, g.start, g.end)) for g in gaps]
    right = [as_text[n] if g.is_text else as_code[n] for n, g in enumerate(gaps)]
    turned = [as_code[n] if g.is_text else as_text[n] for n, g in enumerate(gaps)]
    return [sum(right[:n]) + sum(turned[n + 1 :]) for n in range(len(gaps))]


def _in_text(site: Site, gap: _Gap, mark: str, how: str) -> Iterator[Change]:
    """A string that should have ended: on its first line, before code, or on another line."""
    lines = [m for m in re.finditer(r"[^\n]+", site.text[gap.start : gap.end]) if m[0].strip()]
    code = _CODE.search(site.text, gap.start, gap.end)
    limit = (code.start() if code else gap.end) - gap.start
    above = [m for m in lines if m.start() < limit]
    for number, match in enumerate(lines[:_LINES]):
        end = gap.start + match.start() + len(match[0].rstrip())
        is_last = bool(above) and match is above[-1]
        where = "first line" if number == 0 else "before code" if is_last else "line"
        short = re.search(r"(?<![\"'])([\"'])\1?$", site.text[max(end - 2, 0) : end])
        if short and short[1] == mark[0]:
            yield insert(f"complete closing triple, {how}", end, mark[len(short[0]) :], site.at)
        yield insert(f"close triple on {where}, {how}", end, mark, site.at)


def _in_code(site: Site, gap: _Gap, mark: str, how: str) -> Iterator[Change]:
    """A string that should have begun: where fewer quotes stand, or before a line of prose."""
    for match in _SHORT.finditer(site.text, gap.start, gap.end):
        short = match["short"]
        if short and short[0] == mark[0]:
            yield insert(f"complete opening triple, {how}", match.start(), mark[len(short) :], site.at)
    for match in list(_PROSE.finditer(site.text, gap.start, gap.end))[:_LINES]:
        at = match.start() + len(match[0]) - len(match[0].lstrip())
        yield insert(f"open triple, {how}", at, mark, site.at)


RULES = (marked,)
