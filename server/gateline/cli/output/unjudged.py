"""What a machine is told where nothing could be judged: a whole document that says undecided, and why."""

from __future__ import annotations

from pathlib import Path

from gateline.model.evaluation import Action, Decision, Evaluation, Outcome, Score, Status, TestRun
from gateline.model.level import Level, Progress
from gateline.model.measure import State
from gateline.session.check_result import CheckResult


def unjudged(start: Path, level: Level, progress: Progress, problem: str) -> CheckResult:
    """An evaluation without base, files and findings; `problem` says what is missing, and what to do."""
    decision = Decision(Outcome.UNDECIDED, Status.WARN, (problem,), (Action(problem, 0.0, must=True),))
    evaluation = Evaluation(
        level=level,
        progress=progress,
        base="",
        base_label="",
        score=Score(None, None, 0.0),
        decision=decision,
        limits=(problem,),
        actions=decision.required_actions,
        tests=TestRun("none", state=State.NO_DATA, reason="nothing was judged"),
    )
    return CheckResult(start, evaluation, {}, ())
