"""Which diagnostic answers an edit. Only the right one on the right line does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gateline_dev.bench.buffer import Json

Predicate = Callable[[Sequence[Json]], bool]

# In the words of CPython, mypy, pyright, pyrefly, ty, ruff and gateline.
SYNTAX = re.compile(r"(?i)syntax|expected|parse error|GTL101")
TYPE = re.compile(r"(?i)incompatible types?|not assignable")
_ABOUT_THE_NAME = re.compile(r"(?i)unused|never used|not accessed|undefined|not defined")
"""True of the probe too, but no answer to what was asked."""

ERROR, WARNING = 1, 2


def shows(kind: re.Pattern[str], line: int) -> Predicate:
    """Whether an error or a warning of that kind starts on that line."""

    def found(diagnostics: Sequence[Json]) -> bool:
        return any(_answers(item, kind, line) for item in diagnostics)

    return found


def lacks(kind: re.Pattern[str], line: int) -> Predicate:
    """Whether there is none."""
    found = shows(kind, line)
    return lambda diagnostics: not found(diagnostics)


def anything(_: Sequence[Json]) -> bool:
    """Whatever came: for a server that analyses nothing."""
    return True


def _answers(item: Json, kind: re.Pattern[str], line: int) -> bool:
    text = f"{item.get('code', '')} {item['message']}"
    return (
        item["range"]["start"]["line"] == line
        and item.get("severity", ERROR) <= WARNING
        and bool(kind.search(text))
        and not _ABOUT_THE_NAME.search(text)
    )
