"""Files that change together: how often, of the commits that changed one, another was changed as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

_LARGEST = 30
"""Files of a commit. One that changes more (a new formatter, a new year) says nothing of any two of them."""


def shares(commits: Iterable[Sequence[str]], path: str) -> dict[str, float]:
    """By path, the share of the commits of `path`, from 0 to 1, that changed it too.

    `commits` are the paths that each changed. One commit more is counted than there were: what happened
    once may be chance.
    """
    telling = [set(paths) for paths in commits if path in paths and len(paths) <= _LARGEST]
    counted = Counter(other for paths in telling for other in paths if other != path)
    return {other: count / (len(telling) + 1) for other, count in counted.items()}
