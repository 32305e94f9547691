"""Which added file is a deleted one under a new name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

SIMILAR = 0.5
"""git's own default: half of the content survives."""
_TRIED = 200
"""Above this many added or deleted files only equal contents are paired."""
_COMPARED = 20_000_000
"""Characters, likewise, of all pairs together."""


def pair(deleted: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """New path → old path, from the texts of deleted and added files; the most similar first."""
    renames: dict[str, str] = {}
    free = dict(deleted)
    for path, text in sorted(added.items()):
        same = next((old for old in sorted(free) if free[old] == text and text), None)
        if same is not None:
            renames[path] = same
            del free[same]
    left = {path: text for path, text in added.items() if path not in renames}
    if len(left) <= _TRIED and len(free) <= _TRIED and _compared(free, left) <= _COMPARED:
        renames |= _by_likeness(free, left)
    return renames


def _compared(deleted: Mapping[str, str], added: Mapping[str, str]) -> int:
    sizes = (sum(map(len, texts.values())) for texts in (deleted, added))
    return sum(size * len(other) for size, other in zip(sizes, (added, deleted), strict=True))


def likeness(old: str, new: str) -> float:
    """The share of characters in common lines, 0–1."""
    return _alike(_lines(old), _lines(new))


def _lines(text: str) -> Counter[str]:
    """How often each line occurs."""
    return Counter(text.splitlines())


def _alike(old: Counter[str], new: Counter[str]) -> float:
    common, before, after = (
        sum(len(line) * count for line, count in c.items()) for c in (old & new, old, new)
    )
    whole = max(before, after)
    return common / whole if whole else 0.0


def _by_likeness(deleted: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    before, after = ({path: _lines(text) for path, text in texts.items()} for texts in (deleted, added))
    scored = sorted(
        (-_alike(was, now), old, new) for old, was in before.items() for new, now in after.items()
    )
    found: dict[str, str] = {}
    for score, old, new in scored:
        if -score >= SIMILAR and new not in found and old not in found.values():
            found[new] = old
    return found
