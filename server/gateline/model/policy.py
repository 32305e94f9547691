"""The thresholds a change is judged by. Every number is a setting; the defaults are the specification's."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Profile(StrEnum):
    """`plain` judges every finding, without smoothing, floors or the new-code filter."""

    STANDARD = "standard"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Weights:
    """The share of each scored dimension; they add up to 1."""

    errors: float = 0.40
    coverage: float = 0.25
    security: float = 0.20
    complexity: float = 0.10
    documentation: float = 0.05


@dataclass(frozen=True, slots=True)
class Policy:
    """What gates compare with."""

    profile: Profile = Profile.STANDARD
    weights: Weights = field(default_factory=Weights)
    early_type_errors: int = 5
    """More new type errors than this at early: warn-quality-trend."""
    middle_failing_share: float = 0.10
    """A larger share of failing tests at middle: adjust-strategy."""
    middle_score: float = 60.0
    """A lower score at middle: warn-below-target."""
    final_accept: float = 85.0
    final_conditional: float = 70.0
    evidence: float = 0.6
    """Less evidence than this at final: undecided."""
    floor_cap: float = 59.0
    integrity_cap: float = 84.0
    """The highest score while an integrity finding counts that is no floor."""
    error_points: float = 10.0
    """What one syntax error, type error or failing test takes from the errors dimension."""
    security_points: float = 10.0
    """What one security finding that counts takes from the security dimension."""
    trajectory_drop: float = 10.0
    """A larger loss of points from early to middle is a negative trajectory."""
    trajectory_rise: float = 30.0
    """A larger gain of points from early to middle is excellent progress."""
    complexity_best: float = 10.0
    complexity_worst: float = 30.0
    coverage_small: int = 20
    """Under this many changed lines and branches, coverage is smoothed."""
    required_actions: int = 5
