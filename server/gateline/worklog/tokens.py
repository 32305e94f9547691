"""How much text is handed to a model or an agent, and how much may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from gateline.worklog.task import Tier

BOUNDS: Mapping[Tier, tuple[int, int]] = {
    Tier.STRICT: (750, 1200),
    Tier.STANDARD: (300, 500),
    Tier.LIGHT: (60, 100),
    Tier.EXEMPT: (0, 0),
}
"""The most tokens a task may be handed, by tier: with batching, and without."""
DISTRIBUTION: Mapping[Tier, float] = {
    Tier.STRICT: 0.10,
    Tier.STANDARD: 0.60,
    Tier.LIGHT: 0.25,
    Tier.EXEMPT: 0.05,
}
"""The share of tasks of each tier that the weighted mean is taken over."""
MEAN_LIMIT = 300.0
WARN_FROM = 0.8
"""The share of a bound from which it is said that it comes near."""


class Usage(StrEnum):
    """How a count stands to its bound."""

    WITHIN = "within"
    NEAR = "near"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a task was handed, and what it may be."""

    used: int
    bound: int

    @property
    def usage(self) -> Usage:
        """Whether the bound is far, near or passed."""
        if self.used > self.bound:
            return Usage.OVER
        return Usage.NEAR if self.bound and self.used >= WARN_FROM * self.bound else Usage.WITHIN

    @property
    def left(self) -> int:
        """How many tokens may still be handed over."""
        return max(0, self.bound - self.used)


def budget(tier: Tier, used: int, *, batching: bool = True) -> Budget:
    """The budget of a task of this tier that was handed `used` tokens."""
    return Budget(used, BOUNDS[tier][0 if batching else 1])


def weighted_mean(used: Mapping[Tier, float]) -> float:
    """The mean number of tokens of a task, over the default distribution of tiers."""
    return sum(share * used.get(tier, 0.0) for tier, share in DISTRIBUTION.items())
