"""What is written for one name, said for another: `low = rows(node.low)` and `high = rows(node.high)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|\s+|.", re.DOTALL)
_MOST = 3
"""Names that differ between two statements which say the same of different things."""


def renaming(one: str, other: str) -> Mapping[str, str] | None:
    """The names of `one` that `other` calls otherwise; None where they differ in more than names."""
    mine, theirs = _tokens(one), _tokens(other)
    if len(mine) != len(theirs):
        return None
    found: dict[str, str] = {}
    for a, b in zip(mine, theirs, strict=True):
        if not a.isidentifier() or not b.isidentifier():
            if a != b:
                return None
        elif found.setdefault(a, b) != b:
            return None
    changed = {a: b for a, b in found.items() if a != b}
    return changed if len(changed) <= _MOST else None


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names in it."""
    return "".join(names.get(token, token) for token in _TOKEN.findall(text))


def _tokens(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text) if not token.isspace()]
