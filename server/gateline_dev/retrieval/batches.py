"""Batches of documented functions.

Half of each is from one package, so that it is not enough to tell packages apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Batches:
    """Draws numbers of functions, each at most once in a batch."""

    def __init__(self, groups: Sequence[str], random: np.random.Generator) -> None:
        """`groups` names the package of each."""
        self._random, self._count = random, len(groups)
        members: dict[str, list[int]] = {}
        for number, group in enumerate(groups):
            members.setdefault(group, []).append(number)
        self._members = [members[name] for name in sorted(members)]
        sizes = np.array([len(found) for found in self._members], np.float64)
        self._shares = sizes / sizes.sum()

    def next(self, size: int) -> list[int]:
        """The next batch, of at most so many."""
        own = self._members[int(self._random.choice(len(self._members), p=self._shares))]
        half = size // 2
        near = self._random.choice(own, min(half, len(own)), replace=False)
        far = self._random.choice(self._count, min(half, self._count), replace=False)
        return list(dict.fromkeys([*near.tolist(), *far.tolist()]))
