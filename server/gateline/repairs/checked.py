"""From what a checker prints to problems: mypy, pyright, ty, ruff and what prints as they do."""

from __future__ import annotations

import re
from collections.abc import Callable

from gateline.model import Origin, Position, Problem, Span

Resolve = Callable[[str], str | None]
"""The path in the workspace of a file that is named; None for a file of somebody else."""

_PLACE = r"(?P<path>[^\s:][^:\n]*\.pyi?):(?P<line>\d+)(?::(?P<column>\d+))?"
_ONE_LINE = re.compile(
    # mypy `a.py:1: error: … [code]`, pyright `a.py:1:2 - error: … (code)`, ty `a.py:1:2: error[code] …`,
    # ruff and flake8 `a.py:1:2: F821 [*] …`.
    rf"^ *{_PLACE}(?::\d+:\d+)?"
    r"(?:: error(?:\[(?P<ty>[\w-]+)\])?:? | - error: |: (?P<rule>[A-Z]+\d+|invalid-syntax):? (?:\[\*\] )?)"
    r"(?P<message>\S.*?)(?: +[\[(](?P<code>[a-zA-Z][\w-]+)[\])])?$",
    re.MULTILINE,
)
_ABOVE = re.compile(
    # ty and ruff by default: what is wrong, and below it an arrow and the place.
    r"^(?:error\[(?P<ty>[\w-]+)\]:|(?P<rule>[A-Z]+\d+|invalid-syntax):?) (?:\[\*\] )?"
    rf"(?P<message>\S.*)\n *--> {_PLACE}$",
    re.MULTILINE,
)


def read_checked(text: str, resolve: Resolve) -> tuple[Problem, ...]:
    """The errors of an output, in its order; those in files of somebody else have no path."""
    text = text.replace("\r\n", "\n")
    matches = sorted((*_ONE_LINE.finditer(text), *_ABOVE.finditer(text)), key=re.Match.start)
    return tuple(dict.fromkeys(_problem(match, resolve) for match in matches))


def _problem(match: re.Match[str], resolve: Resolve) -> Problem:
    told = match.groupdict()
    place = Position(int(told["line"]) - 1, int(told["column"] or 1) - 1)
    kind = told.get("code") or told["ty"] or told["rule"] or ""
    path = resolve(told["path"]) or ""
    return Problem(Origin.TYPES, kind, told["message"], path, Span(place, Position(place.line + 1, 0)))
