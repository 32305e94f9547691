"""How the score moved, over the dimensions measured at both ends."""

from __future__ import annotations

from gateline.gates.score import total, weighted
from gateline.model.evaluation import Part, Score, Trajectory
from gateline.model.finding import Dimension
from gateline.model.level import Progress
from gateline.model.measure import State
from gateline.model.policy import Policy

ROLLBACK = ("revert_last_changes", "different_agent_type")
REFOCUS = ("increase_test_weight", "decrease_refactor_aggressiveness")
ACCELERATE = ("increase_iterations", "more_aggressive_refactoring")


def trajectory(
    policy: Policy, early: Score, middle: Score, progress: Progress = Progress.SAID
) -> Trajectory | None:
    """The movement between two scores, and what it advises; None when nothing was measured at both.

    `progress` is the weaker source of the two checkpoints: inferred ones never advise a rollback.
    """
    common = _measured(early) & _measured(middle)
    before = total(weighted(policy, [p for p in early.parts if p.dimension in common]))
    after = total(weighted(policy, [p for p in middle.parts if p.dimension in common]))
    if before is None or after is None:
        return None
    delta = round(after - before, 1)
    if delta < -policy.trajectory_drop:
        rollback = () if progress is Progress.INFERRED else ROLLBACK
        return Trajectory(delta, "negative trajectory", rollback)
    if delta < 0:
        return Trajectory(delta, "slight degradation", REFOCUS, _weakest(middle, common))
    if delta > policy.trajectory_rise:
        return Trajectory(delta, "excellent progress", ACCELERATE)
    return Trajectory(delta, "steady")


def step(before: Score, now: Score) -> float | None:
    """How many points the score moved between two evaluations; None when that cannot be said.

    Where checkpoints measure different dimensions, only those measured at both tell: that more is looked
    at, and a floor that is due only now, is no step of the change.
    """
    common = _measured(before) & _measured(now)
    if common == _measured(before) | _measured(now):
        return None if now.value is None or before.value is None else round(now.value - before.value, 1)
    values = {part.dimension: _value(part) for part in before.parts}
    parts = [part for part in now.parts if part.dimension in common and part.weight]
    whole = sum(part.weight for part in parts)
    moved = sum(part.weight * (_value(part) - values[part.dimension]) for part in parts)
    return round(moved / whole, 1) if whole else None


def _measured(score: Score) -> frozenset[Dimension]:
    return frozenset(p.dimension for p in score.parts if p.state is State.MEASURED)


def _weakest(score: Score, common: frozenset[Dimension]) -> Dimension:
    """The dimension with the lowest value; of equal ones the first."""
    parts = [p for p in score.parts if p.dimension in common and p.weight]
    return min(parts, key=_value).dimension


def _value(part: Part) -> float:
    return part.value if part.value is not None else 0.0
