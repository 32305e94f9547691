"""Which lines of a text its base does not have, and what Python sees of lines."""

from __future__ import annotations

import tokenize
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from gateline.model.document import split_lines

_ALIGNED = 2_000
"""Above this many differing lines an alignment is dear: then lines are compared as a multiset."""


def changed_lines(base: Sequence[str], lines: Sequence[str]) -> frozenset[int]:
    """Zero-based numbers of the lines that are not in `base`, or stand elsewhere; whatever ends them."""
    base, lines = ([line.rstrip("\r\n") for line in side] for side in (base, lines))
    start, end_base, end = _differing(base, lines)
    old, new = base[start:end_base], lines[start:end]
    if len(old) + len(new) > _ALIGNED:
        return frozenset(start + i for i in _unmatched(old, new))
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return frozenset(start + i for tag, _, _, a, b in blocks if tag != "equal" for i in range(a, b))


def _differing(base: Sequence[str], lines: Sequence[str]) -> tuple[int, int, int]:
    """Where the common head ends, and where the common tail starts in each."""
    start, end_base, end = 0, len(base), len(lines)
    while start < min(end_base, end) and base[start] == lines[start]:
        start += 1
    while min(end_base, end) > start and base[end_base - 1] == lines[end - 1]:
        end_base, end = end_base - 1, end - 1
    return start, end_base, end


def _unmatched(old: Sequence[str], new: Sequence[str]) -> list[int]:
    left = Counter(old)
    found = []
    for number, line in enumerate(new):
        if left[line] > 0:
            left[line] -= 1
        else:
            found.append(number)
    return found


def changed_code(base: str, text: str) -> frozenset[int]:
    """Zero-based numbers of the lines in which Python sees something that `base` does not have."""
    before, now = split_lines(base), split_lines(text)
    changed = changed_lines(before, now)
    # Telling comments from strings takes a hundred times longer, and seldom matters.
    if changed_lines(_bare(before), _bare(now)) == changed:
        return changed
    return changed_lines(code_lines(base), code_lines(text))


def _bare(lines: Sequence[str]) -> list[str]:
    """The lines without all that may be blanks or comments, also where it is none."""
    return [line.partition("#")[0].strip() for line in lines]


@lru_cache(maxsize=64)
def code_lines(text: str) -> tuple[str, ...]:
    """The lines as Python sees them: without ends, trailing blanks and comments; blank ones are empty.

    Blanks in a string over several lines stay, and comments that coverage.py heeds (`pragma`). What cannot
    be read as tokens keeps its comments.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    comments: dict[int, int] = {}
    strings: set[int] = set()
    try:
        for token in tokenize.generate_tokens(iter([f"{line}\n" for line in lines]).__next__):
            first, last = token.start[0] - 1, token.end[0] - 1
            if first != last:
                strings.update(range(first, last + 1))
            elif token.type == tokenize.COMMENT and "pragma" not in token.string:
                comments[first] = token.start[1]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return tuple(line.rstrip() for line in lines)
    return tuple(
        line if number in strings else line[: comments.get(number)].rstrip().lstrip("\f")
        for number, line in enumerate(lines)
    )
