"""The evaluations of this session, oldest first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from gateline.model import Evaluation, Level, Outcome, Progress

_KEPT = 200


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


class History:
    """Keeps the newest entries; an evaluation equal to the last one of its level is not repeated."""

    def __init__(self) -> None:
        self._entries: deque[HistoryEntry] = deque(maxlen=_KEPT)
        self._last: dict[Level, Evaluation] = {}

    def add(self, evaluation: Evaluation, at: float) -> None:
        """Remember an evaluation made at `at`."""
        if self._last.get(evaluation.level) == evaluation:
            return
        self._last[evaluation.level] = evaluation
        self._entries.append(
            HistoryEntry(
                at,
                evaluation.level,
                evaluation.progress,
                evaluation.decision.outcome,
                evaluation.score.value,
                evaluation.score.evidence,
                len(evaluation.findings),
            )
        )

    def entries(self) -> tuple[HistoryEntry, ...]:
        """All that is kept, oldest first."""
        return tuple(self._entries)

    def last(self, level: Level) -> Evaluation | None:
        """The newest evaluation at a level."""
        return self._last.get(level)
