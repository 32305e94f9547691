"""How often a strategy picks a right candidate, with intervals over tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gateline.ranking.order import ordered
from gateline.ranking.values import Strategy
from gateline_dev.ranking.corpus import Drawn

Pick = Callable[[Drawn], float]
_RESAMPLES = 2000
_SEED = 19


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over tasks, 0–1, with the interval that holds 95 % of its resamples."""

    mean: float
    low: float
    high: float
    tasks: int

    def __str__(self) -> str:
        return f"{self.mean:6.1%} [{self.low:.1%}, {self.high:.1%}] ({self.tasks} tasks)"


def share(rows: Iterable[tuple[str, float]]) -> Share | None:
    """The mean over tasks of the means of their pools; None of nothing."""
    by_task: dict[str, list[float]] = {}
    for task, value in rows:
        by_task.setdefault(task, []).append(value)
    if not by_task:
        return None
    means = np.array([sum(values) / len(values) for values in by_task.values()])
    chance = np.random.default_rng(_SEED)
    drawn = chance.choice(means, (_RESAMPLES, len(means))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Share(float(means.mean()), float(low), float(high), len(means))


def random_pick(drawn: Drawn) -> float:
    """The chance that anyone is right."""
    return len(drawn.right) / len(drawn.pool.candidates)


def visible_pick(drawn: Drawn) -> float:
    """The chance that one of those that pass most visible tests is right."""
    best = max((one.visible or 0.0) for one in drawn.pool.candidates)
    names = [one.name for one in drawn.pool.candidates if (one.visible or 0.0) == best]
    return sum(name in drawn.right for name in names) / len(names)


def picked(drawn: Drawn, strategy: Strategy) -> float:
    """The chance that one of the first place is right."""
    names = [one.candidate.name for one in ordered(drawn.pool, strategy) if one.place == 1]
    return sum(name in drawn.right for name in names) / len(names)


def auc(right: NDArray[np.float64], told: NDArray[np.float64]) -> float:
    """The probability that a right one is told a higher value than a wrong one; ties count half."""
    good, bad = told[right > 0.5], told[right <= 0.5]
    if not len(good) or not len(bad):
        return float("nan")
    ordered_bad = np.sort(bad)
    below = np.searchsorted(ordered_bad, good, side="left")
    upto = np.searchsorted(ordered_bad, good, side="right")
    return float(((below + upto) / 2).mean() / len(bad))


def brier(right: NDArray[np.float64], told: NDArray[np.float64]) -> float:
    """The mean squared error of a probability."""
    return float(((told - right) ** 2).mean())
