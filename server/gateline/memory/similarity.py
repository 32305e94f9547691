"""How two notes compare: what a decision about them is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gateline.memory.wording import stems


@dataclass(frozen=True, slots=True)
class Meanings:
    """The cosines of two texts, by the tier that made the vectors; a tier that is missing is not there."""

    by_tier: Mapping[str, float]


def features(new: str, old: str, cosines: Mapping[str, float]) -> dict[str, float]:
    """What tells whether `new` is about the subject of `old`, by name; each about 0 to 1."""
    mine, theirs = set(stems(new)), set(stems(old))
    both = len(mine & theirs)
    return {
        **cosines,
        "overlap": both / max(1, len(mine | theirs)),
        "kept": both / max(1, len(theirs)),
    }
