"""The marks of detect-secrets: `pragma: allowlist secret`, and the one for the next line.

A mark that the base has too passes over what it stands on. One that the change itself adds does not lift what
is certain: it is told as what it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from gateline.security.hits import without_secrets

_QUICK = "list"
_MARK = re.compile(r"pragma: ?(?:allow|white)list[ -](?:nextline[ -])?secret")


@dataclass(frozen=True, slots=True)
class Pragma:
    """A mark: the line that it is about, and where it stands."""

    line: int
    at: int
    start: int
    end: int
    text: str
    is_new: bool


def pragmas(lines: Sequence[str], base: Sequence[str] | None, path: str, *, added: bool) -> dict[int, Pragma]:
    """The marks by the line that they are about. `added`: the change brings the whole file."""
    found = _marks(lines, path)
    if not found:
        return {}
    before = Counter(print_ for _, print_ in _marks(base, path)) if base is not None else Counter()
    known: dict[int, Pragma] = {}
    for (line, at, start, end, text), print_ in found:
        is_new = before[print_] <= 0 if base is not None else added
        before[print_] -= 1
        known.setdefault(line, Pragma(line, at, start, end, text, is_new))
    return known


_Place = tuple[int, int, int, int, str]


def _marks(lines: Sequence[str], path: str) -> list[tuple[_Place, str]]:
    """Each mark, and what it is known by: the line that it is about, without the secret."""
    found = []
    for number, line in enumerate(lines):
        if _QUICK not in line or (mark := _MARK.search(line)) is None:
            continue
        plain = line.rstrip()
        nextline = "nextline" in mark[0]
        if not any(pattern.search(plain) for pattern in _patterns(nextline)):
            continue
        about = number + 1 if nextline else number
        meant = lines[about] if about < len(lines) else ""
        found.append(((about, number, *mark.span(), mark[0]), without_secrets(meant.strip(), path)))
    return found


@cache
def _patterns(nextline: bool) -> list[re.Pattern[str]]:
    """detect-secrets' own, in all styles of comments."""
    from detect_secrets.filters.allowlist import _get_comment_tuples, get_allowlist_regexes

    # A mark for the next line may be indented; detect-secrets wants nothing at all before it.
    plain = [get_allowlist_regexes(comment_tuple=style, nextline=nextline) for style in _get_comment_tuples()]
    return [re.compile(p.pattern.replace("^", r"^\s*", 1)) if nextline else p for p in plain]
