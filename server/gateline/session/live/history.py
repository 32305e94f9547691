"""The evaluations of this session, oldest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from gateline.gates.gaps import stated
from gateline.gates.trajectory import step
from gateline.model import Dimension, Evaluation, Level, Novelty, Outcome, Part, Progress, Score, Status
from gateline.model.evaluation import Trajectory

_KEPT = 200


@dataclass(frozen=True, slots=True)
class Move:
    """A dimension whose value rose or, below 0, fell."""

    dimension: Dimension
    by: float


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One evaluation in short. `at` is seconds since the epoch, UTC."""

    at: float
    level: Level
    progress: Progress
    outcome: Outcome
    score: float | None
    evidence: float
    findings: int
    new_findings: int = 0
    status: Status = Status.PASS
    reason: str = ""
    """Why the gate said so; empty when nothing stood in the way."""
    delta: float | None = None
    """Against the entry before; between checkpoints, over the dimensions measured at both."""
    moved: tuple[Move, ...] = ()
    """Since the entry before, of what was measured in both."""
    floors: int = 0
    trajectory: Trajectory | None = None
    """At middle: how the score moved since early."""


class History:
    """Keeps the newest entries; an evaluation equal to the last one of its level is not repeated."""

    def __init__(self) -> None:
        self._entries: deque[HistoryEntry] = deque(maxlen=_KEPT)
        self._last: dict[Level, Evaluation] = {}
        self._score: Score | None = None
        """Of the newest entry."""

    def add(self, evaluation: Evaluation, at: float, moved: Trajectory | None = None) -> None:
        """Remember an evaluation made at `at`; `moved` is how its score did since early."""
        if self._last.get(evaluation.level) == evaluation:
            return
        self._last[evaluation.level] = evaluation
        self._entries.append(self._entry(evaluation, at, moved))
        self._score = evaluation.score

    def entries(self) -> tuple[HistoryEntry, ...]:
        """All that is kept, oldest first."""
        return tuple(self._entries)

    def last(self, level: Level) -> Evaluation | None:
        """The newest evaluation at a level."""
        return self._last.get(level)

    def _entry(self, evaluation: Evaluation, at: float, moved: Trajectory | None) -> HistoryEntry:
        score, decision = evaluation.score, evaluation.decision
        return HistoryEntry(
            at=at,
            level=evaluation.level,
            progress=evaluation.progress,
            outcome=decision.outcome,
            score=score.value,
            evidence=score.evidence,
            findings=len(evaluation.findings),
            new_findings=sum(finding.novelty is Novelty.NEW for finding in evaluation.findings),
            status=decision.status,
            reason=_reason(evaluation),
            delta=step(self._score, score) if self._score else None,
            moved=_moved(self._score.parts, score.parts) if self._score else (),
            floors=len(score.floors),
            trajectory=moved,
        )


def _reason(evaluation: Evaluation) -> str:
    """The first reason that is not merely a gap in what was measured."""
    gaps = {stated(part) for part in evaluation.score.parts}
    return next((reason for reason in evaluation.decision.reasons if reason not in gaps), "")


def _moved(before: Iterable[Part], now: Iterable[Part]) -> tuple[Move, ...]:
    known = {part.dimension: part.value for part in before if part.value is not None}
    both = [part for part in now if part.value is not None and part.dimension in known]
    moves = (Move(part.dimension, round((part.value or 0) - known[part.dimension], 1)) for part in both)
    return tuple(move for move in moves if move.by)
