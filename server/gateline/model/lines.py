"""Which lines of a text its base does not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

_ALIGNED = 2_000
"""Above this many differing lines an alignment is dear: then lines are compared as a multiset."""


def changed_lines(base: Sequence[str], lines: Sequence[str]) -> frozenset[int]:
    """Zero-based numbers of the lines that are not in `base`, or stand elsewhere."""
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
