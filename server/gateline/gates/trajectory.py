"""How the score moved, over the dimensions measured at both ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from gateline.model.evaluation import Part, Score, Trajectory
from gateline.model.finding import Dimension
from gateline.model.level import Progress
from gateline.model.measure import State

ROLLBACK = ("revert_last_changes", "different_agent_type")
REFOCUS = ("increase_test_weight", "decrease_refactor_aggressiveness")
ACCELERATE = ("increase_iterations", "more_aggressive_refactoring")


class Limits(Protocol):
    """What a movement is compared with, in points: part of a policy, and of an evaluation's thresholds."""

    @property
    def trajectory_drop(self) -> float:
        """A larger loss is a negative trajectory."""
        ...

    @property
    def trajectory_rise(self) -> float:
        """A larger gain is excellent progress."""
        ...


def trajectory(
    limits: Limits, early: Score, middle: Score, progress: Progress = Progress.SAID
) -> Trajectory | None:
    """The movement between two scores, and what it advises; None when nothing was measured at both.

    `progress` is the weaker source of the two checkpoints: inferred ones never advise a rollback.
    """
    return moved(limits, values_of(early), middle, progress)


def moved(
    limits: Limits, early: Mapping[Dimension, float], middle: Score, progress: Progress
) -> Trajectory | None:
    """The same from the values that were measured at early, 0-100: they are what is remembered of it."""
    delta = _mean_step(early, middle)
    if delta is None:
        return None
    if delta < -limits.trajectory_drop:
        return Trajectory(delta, "negative trajectory", () if progress is Progress.INFERRED else ROLLBACK)
    if delta < 0:
        return Trajectory(delta, "slight degradation", REFOCUS, _weakest(middle))
    if delta > limits.trajectory_rise:
        return Trajectory(delta, "excellent progress", ACCELERATE)
    return Trajectory(delta, "steady")


def _weakest(score: Score) -> Dimension:
    """The scored dimension with the lowest value; of equal ones the first."""
    return min((part for part in score.parts if part.weight), key=_value).dimension


def values_of(score: Score) -> dict[Dimension, float]:
    """The value of each dimension that was measured, 0-100."""
    return {part.dimension: _value(part) for part in score.parts if part.state is State.MEASURED}


def step(before: Score, now: Score) -> float | None:
    """How many points the score moved between two evaluations; None when that cannot be said.

    Where checkpoints measure different dimensions, only those measured at both tell: that more is looked
    at, and a floor that is due only now, is no step of the change.
    """
    values = values_of(before)
    if values.keys() == values_of(now).keys():
        return None if now.value is None or before.value is None else round(now.value - before.value, 1)
    return _mean_step(values, now)


def _mean_step(before: Mapping[Dimension, float], now: Score) -> float | None:
    """How far the weighted mean over what was measured at both moved; None when none of it has a weight."""
    both = [part for part in now.parts if part.state is State.MEASURED and part.dimension in before]
    steps = [(part.weight, _value(part) - before[part.dimension]) for part in both]
    whole = sum(weight for weight, _ in steps)
    return round(sum(weight * step for weight, step in steps) / whole, 1) if whole else None


def _value(part: Part) -> float:
    return part.value if part.value is not None else 0.0
