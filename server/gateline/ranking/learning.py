"""What choices of people propose: other weights of the last stage, and a correction of the confidence.

Nothing is proposed before there are enough choices, and no weight moves by more than a fifth of the one
that is specified. Floors, and all stages before the last, are never learned. A person accepts a proposal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gateline.ranking.criteria import WEIGHTS
from gateline.ranking.logistic import most_likely
from gateline.ranking.values import Category, Recalibration

ENOUGH_CHOICES = 20
"""Choices that tell something, before weights are proposed."""
ENOUGH_JUDGED = 50
"""Choices before a correction of the confidence is proposed."""
_MOST = 0.20
"""The share of a weight by which it may move."""
_PRIOR = np.array([0.0, 1.0])
"""Offset and slope as they are expected: no correction."""
_PRECISION = np.diag([1.0**-2, 0.5**-2])
"""How far from that they are expected: of standard deviations of the prior."""
_NEAR = 0.01
"""Probabilities are taken no nearer to 0 and 1 than this."""

Values = Mapping[Category, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """One candidate that a person took, and those that nothing but the last stages tells from it."""

    chosen: Values
    others: tuple[Values, ...]


@dataclass(frozen=True, slots=True)
class Leaning:
    """How often what was chosen was better in a category than what was not, and how often worse."""

    better: int = 0
    worse: int = 0

    @property
    def share(self) -> float:
        """-1: always worse; 0: as often as not; 1: always better."""
        told = self.better + self.worse
        return (self.better - self.worse) / told if told else 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """Weights that add up to 1, and what they follow from."""

    weights: Mapping[Category, float]
    leanings: Mapping[Category, Leaning]
    choices: int


def proposed_weights(choices: Sequence[Choice]) -> Proposal | None:
    """Other weights, as the choices lean; None before there are enough that tell something."""
    telling = [one for one in choices if any(_compared(one, category) for category in Category)]
    if len(telling) < ENOUGH_CHOICES:
        return None
    leanings = {category: _leaning(telling, category) for category in Category}
    wanted = {
        category: WEIGHTS[category] * (1 + _MOST * leaning.share * _known(leaning, len(telling)))
        for category, leaning in leanings.items()
    }
    return Proposal(_summed(wanted), leanings, len(telling))


def recalibrated(judged: Sequence[tuple[float, bool]]) -> Recalibration | None:
    """A correction of the probability on the scale of logits; None before there are enough.

    `judged` has the shipped probability that the first place is right, and whether a person took it. The most
    likely offset and slope, with a normal prior around no correction (Platt scaling).
    """
    if len(judged) < ENOUGH_JUDGED:
        return None
    logits = np.array([_logit(probability) for probability, _ in judged])
    right = np.array([float(taken) for _, taken in judged])
    columns = np.c_[np.ones(len(logits)), logits]
    offset, slope = most_likely(columns, right, _PRIOR, _PRECISION).tolist()
    lowest, highest = Recalibration.SLOPES
    most = Recalibration.MOST_OFFSET
    return Recalibration(round(min(most, max(-most, offset)), 3), round(min(highest, max(lowest, slope)), 3))


def _logit(probability: float) -> float:
    inside = min(1 - _NEAR, max(_NEAR, probability))
    return math.log(inside / (1 - inside))


def _known(leaning: Leaning, choices: int) -> float:
    """Less than 1 where a category told something in few of the choices."""
    return min(1.0, (leaning.better + leaning.worse) / choices)


def _leaning(choices: Sequence[Choice], category: Category) -> Leaning:
    """Each choice counts once, by the most of those that were left."""
    better = worse = 0
    for one in choices:
        told = sum(_compared(one, category))
        better += told > 0
        worse += told < 0
    return Leaning(better, worse)


def _compared(one: Choice, category: Category) -> list[int]:
    """1 for each other candidate that is worse in a category than the chosen one, -1 for each better one."""
    mine = one.chosen.get(category)
    if mine is None:
        return []
    gaps = [mine - other[category] for other in one.others if category in other]
    return [1 if gap > 0 else -1 for gap in gaps if abs(gap) > 1e-9]


def _summed(wanted: Mapping[Category, float]) -> dict[Category, float]:
    """The nearest weights in proportion that add up to 1, each within its bounds; by bisection."""

    def bounded(scale: float) -> dict[Category, float]:
        return {
            one: min(WEIGHTS[one] * (1 + _MOST), max(WEIGHTS[one] * (1 - _MOST), value * scale))
            for one, value in wanted.items()
        }

    low, high = 0.5, 2.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(bounded(middle).values()) < 1 else (low, middle)
    found = {one: round(value, 4) for one, value in bounded(high).items()}
    # What rounding leaves over is far less than any weight.
    largest = max(found, key=lambda one: (found[one], one))
    return {**found, largest: round(found[largest] + 1 - sum(found.values()), 4)}
