"""The score of a change at one checkpoint, and when a new one is a regression."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from gateline.gates.trajectory import moved
from gateline.model import Dimension, Evaluation, FunctionChange, Level, Outcome, Progress
from gateline.model.evaluation import Trajectory

ACCEPTED = (Outcome.ACCEPT, Outcome.CONDITIONAL_ACCEPT)
_POINTS = 5.0
"""Fewer points are no regression, whatever their share is."""
_EXACT = 2 / 3
"""Of the share that a score may lose, what an exact measure may: 10 % of 15 %."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One evaluation in numbers. `at` has a time zone."""

    at: datetime
    task: str
    branch: str
    level: str
    progress: str
    outcome: str
    score: float | None
    evidence: float = 0.0
    edition: str = ""
    """Names the settings and the versions of the tools: only what they measured alike is compared."""
    parts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """The value of each dimension that was measured, 0–100."""
    content: str = ""
    """Names what was judged: the same content judged again is no further score."""
    base: str = ""
    """The commit that the change is measured against; empty where nobody remembers."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A final score, or a measure of it, that is lower than those that were accepted."""

    what: str
    """`score`, or the dimension that fell."""
    before: float
    """The mean of those accepted last."""
    now: float
    of: int
    """How many there are in the mean."""
    most: str
    """The dimension that explains most of it; empty when none fell."""

    @property
    def share(self) -> float:
        """How much of it was lost, 0–1."""
        return (self.before - self.now) / self.before

    def __str__(self) -> str:
        told = f"{self.what} {self.now:.1f} is {self.share:.0%} below {self.before:.1f}, the mean of the "
        last = f"last {self.of} accepted" if self.of > 1 else "last one accepted"
        why = f", mostly because of {self.most}" if self.most and self.most != self.what else ""
        return f"{told}{last} on this branch{why}"


def scored(evaluation: Evaluation, at: datetime, task: str, branch: str, edition: str) -> Scored:
    """An evaluation in numbers."""
    score = evaluation.score
    return Scored(
        at,
        task,
        branch,
        str(evaluation.level),
        str(evaluation.progress),
        str(evaluation.decision.outcome),
        score.value,
        score.evidence,
        edition,
        {str(part.dimension): part.value for part in score.parts if part.value is not None},
        evaluation.content,
        evaluation.base,
    )


def trajectory(early: Scored, middle: Evaluation) -> Trajectory | None:
    """How the score moved since a remembered early checkpoint; None for other checkpoints than middle."""
    if middle.level is not Level.MIDDLE or middle.thresholds is None:
        return None
    values = {name: early.parts[name] for name in Dimension if name in early.parts}
    weaker = max(Progress(early.progress), middle.progress, key=list(Progress).index)
    return moved(middle.thresholds, values, middle.score, weaker)


def regression(
    accepted: Sequence[Scored], now: Scored, weights: Mapping[str, float], share: float = 0.15
) -> Regression | None:
    """Whether a final score is a regression against `accepted`, of the same branch and edition.

    The score may lose less than `share` of itself, a dimension by itself two thirds of that; less than five
    points is never a regression. `weights` are those of the dimensions in the score.
    """
    if now.level != Level.FINAL or now.score is None or not accepted:
        return None
    means = {name: _mean(one.parts.get(name) for one in accepted) for name in now.parts}
    fallen = {name: mean - now.parts[name] for name, mean in means.items() if mean is not None}
    most = max(fallen, key=lambda name: (fallen[name] * weights.get(name, 0.0), name), default="")
    most = most if fallen.get(most, 0.0) > 0 else ""
    before = _mean(one.score for one in accepted)
    found = [Regression("score", before, now.score, len(accepted), most)] if before else []
    found += [
        Regression(name, mean, now.parts[name], len(accepted), name)
        for name, mean in means.items()
        if mean and weights.get(name)
    ]
    limits = {"score": share}
    return next((one for one in found if _is_one(one, limits.get(one.what, share * _EXACT))), None)


def more_complex(functions: Iterable[FunctionChange]) -> tuple[FunctionChange, ...]:
    """The functions whose complexity rose against the base, those that rose most first."""
    risen = [
        (f.complexity_after - f.complexity_before, f)
        for f in functions
        if f.complexity_before and f.complexity_after
    ]
    return tuple(f for by, f in sorted(risen, key=lambda row: -row[0]) if by > 0)


def _is_one(found: Regression, share: float) -> bool:
    lost = found.before - found.now
    return lost >= _POINTS and found.share >= share


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
