"""What the status bar shows, and how it came to be: in camelCase."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gateline.protocol.evaluation import ActionResult, PartResult, Reading, TestRunResult, TrajectoryResult
from gateline.protocol.types import Wire


class StatusParams(Wire):
    """The state of one folder's change."""

    folder: str = Field(description="The folder's URI.")
    label: str = Field(
        description="In short: `GL 86 ▲3`, `GL –` unchanged, `GL 86 …` and `GL …` working, `GL ?` undecided."
    )
    working: bool = Field(
        description="Whether an evaluation is under way: the rest is what was said before it."
    )
    problem: str = Field("", description="Why the change could not be judged at all; empty when it was.")
    changed: bool = Field(description="Whether anything differs from the base.")
    score: float | None = Field(None, description="0-100; null when nothing could be measured.")
    raw: float | None = Field(None, description="The score before caps: the sum of all points.")
    delta: float | None = Field(
        None, description="Against the evaluation before, over what was measured in both."
    )
    decision: str | None = Field(None, description="What the gate says.")
    status: str | None = Field(None, description="The decision in a word: PASS, WARN or FAIL.")
    reasons: tuple[str, ...] = Field((), description="Why the gate says so.")
    required_actions: tuple[ActionResult, ...] = Field((), description="What to do next, most points first.")
    checkpoint: str | None = Field(None, description="early, middle or final.")
    progress: str | None = Field(None, description="How the checkpoint was known: said, counted or inferred.")
    base_label: str = Field("", description="What the change is measured against.")
    evidence: float = Field(0.0, description="The share of the weight that could be measured, 0-1.")
    states: tuple[PartResult, ...] = Field((), description="Each dimension: its state, why, and its points.")
    floors: tuple[str, ...] = Field((), description="The broken floors, which cap the score.")
    caps: tuple[str, ...] = Field((), description="The integrity findings that cap the score.")
    limits: tuple[str, ...] = Field((), description="What could not be judged, and why.")
    new_findings: int = Field(0, description="How many findings the change brought.")
    tests: TestRunResult | None = Field(None, description="Null when tests were not requested.")
    trajectory: TrajectoryResult | None = Field(
        None, description="At middle, where there was an early checkpoint before."
    )


class HistoryParams(Wire):
    """Whose history."""

    uri: str | None = Field(None, description="Any URI in the folder, or null for the first folder.")
    of: Literal["session", "task", "branch"] = Field(
        "session", description="task, branch: also the scores that are remembered of them."
    )


class MoveResult(Reading):
    """A dimension whose value is another than in the entry before."""

    dimension: str
    by: float = Field(description="How far its value rose or, below 0, fell.")


class HistoryEntry(Wire):
    """One evaluation in short."""

    timestamp: str = Field(description="UTC, ISO 8601.")
    level: str = Field(description="early, middle or final.")
    progress: str = Field(description="How the checkpoint was known: said, counted or inferred.")
    decision: str = Field(description="What the gate said.")
    status: str = Field(description="The decision in a word: PASS, WARN or FAIL.")
    reason: str = Field("", description="Why the gate said so; empty when nothing stood in the way.")
    score: float | None = Field(description="0-100; null when nothing could be measured.")
    delta: float | None = Field(
        None,
        description="Against the entry before, over what was measured in both.",
    )
    moved: tuple[MoveResult, ...] = Field(
        (), description="What moved since the entry before, of what was measured in both."
    )
    evidence: float = Field(description="The share of the weight that could be measured, 0-1.")
    findings: int = Field(description="How many findings, new and old.")
    new_findings: int = Field(0, description="How many findings the change brought.")
    floors: int = Field(0, description="How many floors cap the score.")
    trajectory: TrajectoryResult | None = Field(
        None, description="At middle, where there was an early checkpoint before."
    )


class ScoreEntry(Wire):
    """A remembered score: a point of a plot."""

    timestamp: str = Field(description="UTC, ISO 8601.")
    task: str = Field(description="The identifier of its task.")
    branch: str = Field(description="Empty for a commit that no branch has.")
    level: str = Field(description="early, middle or final.")
    progress: str = Field(description="How the checkpoint was known: said, counted or inferred.")
    decision: str = Field(description="What the gate said.")
    score: float | None = Field(description="0-100; null when nothing could be measured.")
    evidence: float = Field(description="The share of the weight that could be measured, 0-1.")
    parts: dict[str, float] = Field(description="The value of each measured dimension, 0-100.")


class HistoryResult(Wire):
    """The evaluations of a session, and the scores that are remembered."""

    entries: tuple[HistoryEntry, ...] = Field(description="Of this session, oldest first.")
    scores: tuple[ScoreEntry, ...] = Field((), description="Of the task or branch, oldest first.")
