"""How likely two notes are about one subject, by coefficients that were fitted on labelled pairs.

Two questions are asked: whether both have to do with each other at all, and whether the subject was replaced.
Each is fitted by itself: most pairs of notes are strangers, and would drown what tells the hard ones apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import exp

from gateline.memory.calibration import RELATED, SAME, Fit
from gateline.memory.similarity import SEMANTIC, STATIC

WORDS = "words"
"""What is told by words alone, where no tier made vectors."""


def tier_of(tiers: Collection[str]) -> str:
    """Which coefficients hold: those of the best tier that made vectors of both notes."""
    return next((tier for tier in (SEMANTIC, STATIC) if tier in tiers), WORDS)


def likeness(features: Mapping[str, float], tier: str) -> float:
    """The probability that two notes are about one subject, 0–1; 0 where they are strangers."""
    related = RELATED[tier]
    return _told(features, SAME[tier]) if _told(features, related) >= related.threshold else 0.0


def threshold(tier: str) -> float:
    """The likeness from which on a note is a new version: a false merge is worse than a second lesson."""
    return SAME[tier].threshold


def _told(features: Mapping[str, float], fit: Fit) -> float:
    total = fit.intercept + sum(slope * features.get(name, 0.0) for name, slope in fit.slopes.items())
    return 1 / (1 + exp(-max(-50.0, min(50.0, total))))
