"""What a document and a project are told: findings, totals and a trend, and no decision."""

from __future__ import annotations

from datetime import UTC, datetime

from gateline.model import (
    Decision,
    Dimension,
    Evaluation,
    FileSummary,
    Finding,
    FunctionChange,
    Level,
    Outcome,
    Progress,
    Score,
    Span,
    Status,
    Weight,
)
from gateline.session.judge.scoped import BUFFER, CHANGE, PROJECT, to_scoped
from gateline.worklog.scored import Scored

FOUND = Finding("GTL110", "a.py", Span.of(0, 0, 0, 1), "wrong", Dimension.ERRORS, Weight.COUNTS)
JUDGED = Evaluation(
    Level.EARLY,
    Progress.SAID,
    "0" * 40,
    "HEAD",
    Score(90.0, 90.0, 1.0),
    Decision(Outcome.CONTINUE, Status.PASS),
    findings=(FOUND,),
    files=(FileSummary("a.py", "added", lines_after=30),),
    functions=(FunctionChange("a.py", "f", 0, None, 3), FunctionChange("a.py", "g", 9, None, 6)),
)
THEN = Scored(datetime(2026, 1, 2, tzinfo=UTC), "t", "main", "final", "said", "accept", 97.5)


def test_a_change_is_answered_with_score_and_decision() -> None:
    told = to_scoped(JUDGED, CHANGE)
    assert told.decision is not None
    assert (told.scope, told.score.value, told.decision.outcome) == ("change", 90.0, "continue")


def test_a_document_has_findings_and_no_number() -> None:
    told = to_scoped(JUDGED, BUFFER)
    assert (told.decision, told.score.value, told.score.raw, told.totals) == (None, None, None, None)
    assert [finding.code for finding in told.findings] == ["GTL110"]


def test_a_project_has_totals_and_a_trend_and_never_gates() -> None:
    told = to_scoped(JUDGED, PROJECT, [THEN])
    assert (told.decision, told.score.value) == (None, None)
    assert told.totals is not None
    assert told.totals.model_dump() == {
        "files": 1,
        "lines": 30,
        "functions": 2,
        "mean_complexity": 4.5,
        "worst_complexity": 6.0,
        "findings": {"errors": 1},
        "suppressed": 0,
    }
    assert [(row.score, row.decision) for row in told.trend] == [(97.5, "accept")]
