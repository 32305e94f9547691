"""What the status bar shows."""

from __future__ import annotations

from dataclasses import dataclass

from gateline.gates.trajectory import step
from gateline.model import (
    Action,
    Evaluation,
    Level,
    Novelty,
    Outcome,
    Part,
    Progress,
    Score,
    Status,
    TestRun,
)
from gateline.model.evaluation import Trajectory


@dataclass(frozen=True, slots=True)
class StatusUpdate:
    """The change's score and decision."""

    working: bool
    """Whether a newer evaluation is under way: the rest is what was said last."""
    score: float | None = None
    """None when nothing changed, or nothing could be measured."""
    delta: float | None = None
    """Against the evaluation before; between checkpoints, over the dimensions measured at both."""
    outcome: Outcome | None = None
    level: Level | None = None
    evidence: float = 0.0
    changed: bool = False
    """Whether there is a change to judge at all."""
    parts: tuple[Part, ...] = ()
    floors: tuple[str, ...] = ()
    caps: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    problem: str = ""
    """Why the change could not be judged at all; empty when it was."""
    raw: float | None = None
    """The score before floors."""
    status: Status | None = None
    reasons: tuple[str, ...] = ()
    required_actions: tuple[Action, ...] = ()
    progress: Progress | None = None
    base_label: str = ""
    new_findings: int = 0
    tests: TestRun | None = None
    """Which tests spoke of the change, and why these; None: none were run."""
    trajectory: Trajectory | None = None
    """At middle: how the score moved since early."""

    @property
    def label(self) -> str:
        """`GL 86`, `GL 86 ▲3`, `GL –` nothing changed, `GL ?` undecided; `GL …`, `GL 86 …` working."""
        if self.working:
            return f"GL {round(self.score)} …" if self.changed and self.score is not None else "GL …"
        if self.problem:
            return "GL ?"
        if not self.changed:
            return "GL ?" if self.limits else "GL –"
        if self.score is None or self.outcome is Outcome.UNDECIDED:
            return "GL ?"
        step = round(self.score) - round(self.score - (self.delta or 0))
        arrow = f" ▲{step}" if step > 0 else f" ▼{-step}" if step < 0 else ""
        return f"GL {round(self.score)}{arrow}"


WORKING = StatusUpdate(working=True)
"""Nothing was said yet."""


def unchanged(base_label: str) -> StatusUpdate:
    """The status when there is nothing to judge."""
    return StatusUpdate(working=False, base_label=base_label)


def failed(problem: str) -> StatusUpdate:
    """The status when nothing could be judged."""
    return StatusUpdate(working=False, problem=problem)


def status_of(
    evaluation: Evaluation, previous: Score | None, moved: Trajectory | None = None
) -> StatusUpdate:
    """The status after an evaluation; `previous` is the score it is compared with, `moved` its trajectory."""
    return StatusUpdate(
        working=False,
        score=evaluation.score.value,
        delta=step(previous, evaluation.score) if previous else None,
        outcome=evaluation.decision.outcome,
        level=evaluation.level,
        evidence=evaluation.score.evidence,
        changed=evaluation.changed,
        parts=evaluation.score.parts,
        floors=evaluation.score.floors,
        caps=evaluation.score.caps,
        limits=evaluation.limits,
        raw=evaluation.score.raw,
        status=evaluation.decision.status,
        reasons=evaluation.decision.reasons,
        required_actions=evaluation.decision.required_actions,
        progress=evaluation.progress,
        base_label=evaluation.base_label,
        new_findings=sum(finding.novelty is Novelty.NEW for finding in evaluation.findings),
        tests=evaluation.tests,
        trajectory=moved,
    )
