"""How much text is handed to a model or an agent, and how much may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, takewhile

from gateline.model.token_count import tokens_of
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
"""The weighted mean of what tasks are handed is not to be more."""
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


@dataclass(frozen=True, slots=True)
class Handed:
    """What is handed to a model or an agent."""

    text: str
    tokens: int
    warning: str = ""
    """That the bound comes near, or that the text is not whole; empty when there is room."""


def within(text: str, tier: Tier, used: int, *, batching: bool = True) -> Handed:
    """The lines of a text that a task of this tier may still be handed, after `used` tokens."""
    room = budget(tier, used, batching=batching).left
    lines = text.splitlines(keepends=True)
    kept = list(
        takewhile(lambda row: row[1] <= room, zip(lines, accumulate(map(tokens_of, lines)), strict=True))
    )
    tokens = kept[-1][1] if kept else 0
    bound = budget(tier, used, batching=batching).bound
    if len(kept) < len(lines):
        left_out = f"{len(lines) - len(kept)} of {len(lines)} lines were left out"
        cut = f"{left_out}: the limit of {tier} is {bound} tokens"
        return Handed("".join(line for line, _ in kept), tokens, cut)
    return Handed(text, tokens, warning(tier, used + tokens, batching=batching))


def warning(tier: Tier, used: int, *, batching: bool = True) -> str:
    """What to say when a task of this tier was handed `used` tokens; empty while the bound is far."""
    near = budget(tier, used, batching=batching)
    return "" if near.usage is Usage.WITHIN else f"{used} of the {near.bound} tokens that {tier} allows"


def weighted_mean(used: Mapping[Tier, float]) -> float:
    """The mean number of tokens of a task, over the default distribution of tiers."""
    return sum(share * used.get(tier, 0.0) for tier, share in DISTRIBUTION.items())
