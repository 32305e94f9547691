"""What is new in a change: things found now, without those that were there before, wherever they stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from gateline.analysis.modules import Module
from gateline.integrity.change_view import Pair

Hit = TypeVar("Hit")


def new_in(
    files: Iterable[Pair],
    find: Callable[[Module], Iterable[Hit]],
    prints: Callable[[Hit], tuple[str, ...]],
    prints_before: Callable[[Hit], tuple[str, ...]] | None = None,
) -> Iterator[tuple[Module, Hit]]:
    """The hits of now that none of the base is taken for, each with its file.

    `prints` are the texts by which a hit is known, the surest first: one that moved keeps one of them.
    `prints_before`, where it differs, are those of the base: by what they may be taken for now.
    """
    pairs = list(files)
    left = [(pair.now, hit) for pair in pairs if pair.now for hit in pair.now.listed(find)]
    if not left:
        return
    known_by = prints_before or prints
    before = [known_by(hit) for pair in pairs if pair.base for hit in pair.base.listed(find)]
    taken: set[int] = set()
    for place in range(max((len(p) for p in before), default=0)):
        known = Counter(p[place] for number, p in enumerate(before) if number not in taken)
        still = []
        for module, hit in left:
            mark = prints(hit)[place]
            if known[mark] > 0:
                known[mark] -= 1
                taken.add(next(n for n, p in enumerate(before) if n not in taken and p[place] == mark))
            else:
                still.append((module, hit))
        left = still
    yield from left
