"""What a session remembers of its evaluations, and what it says of the newest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.model import (
    Action,
    Decision,
    Dimension,
    Evaluation,
    FileSummary,
    Finding,
    Level,
    Novelty,
    Outcome,
    Part,
    Progress,
    Score,
    Span,
    State,
    Status,
    Weight,
)
from gateline.session.judge.wire import to_wire
from gateline.session.live.history import History, Move
from gateline.session.live.status import StatusUpdate, failed, status_of

ERROR = Finding("GTL110", "a.py", Span.of(2, 4, 2, 9), "wrong", Dimension.ERRORS, Weight.COUNTS, identity="1")
OLD = Finding(
    "GTL310", "b.py", Span.of(0, 0, 0, 1), "key", Dimension.SECURITY, Weight.FLOOR, novelty=Novelty.OLD
)


def judged(score: float | None, level: Level = Level.EARLY, **values: float | None) -> Evaluation:
    parts = tuple(
        Part(Dimension(name), State.MEASURED if value is not None else State.NO_DATA, value=value, weight=0.5)
        for name, value in values.items()
    )
    return Evaluation(
        level,
        Progress.INFERRED,
        "f" * 40,
        "HEAD",
        Score(score, score, 1.0, parts),
        Decision(Outcome.CONTINUE, Status.PASS, ("all well",)),
        findings=(ERROR, OLD),
        files=(FileSummary("a.py", "modified"),),
        actions=(Action("fix it", 6.7, "1", "a.py", 2),),
    )


def remembered(*evaluations: Evaluation) -> History:
    history = History()
    for at, evaluation in enumerate(evaluations):
        history.add(evaluation, at)
    return history


def test_an_entry_says_what_moved_since_the_one_before() -> None:
    first = judged(90.0, errors=90.0, security=100.0, coverage=None)
    second = judged(84.5, Level.MIDDLE, errors=80.0, security=100.0, coverage=50.0)
    _, entry = remembered(first, second).entries()
    assert (entry.delta, entry.moved) == (-5.0, (Move(Dimension.ERRORS, -10.0),))
    assert (entry.findings, entry.new_findings, entry.reason) == (2, 1, "all well")


def test_what_could_not_be_measured_is_no_reason() -> None:
    evaluation = judged(90.0, errors=90.0, coverage=None)
    gap = replace(evaluation.decision, reasons=("coverage: no data",))
    (entry,) = remembered(replace(evaluation, decision=gap)).entries()
    assert entry.reason == ""


def test_an_entry_that_could_not_be_measured_is_no_step() -> None:
    entries = remembered(
        judged(90.0, errors=90.0), judged(None, errors=None), judged(95.0, errors=95.0)
    ).entries()
    assert [entry.delta for entry in entries] == [None, None, None]
    assert entries[-1].moved == ()


def test_the_same_evaluation_is_one_entry() -> None:
    again = judged(90.0, errors=90.0)
    assert len(remembered(again, judged(90.0, errors=90.0), judged(90.0, Level.MIDDLE)).entries()) == 2


@pytest.mark.parametrize(
    ("update", "label"),
    [
        (StatusUpdate(True, 86.0), "GL …"),
        (StatusUpdate(True, 86.0, 3.0, changed=True), "GL 86 …"),
        (StatusUpdate(False), "GL –"),
        (StatusUpdate(False, limits=("no merge-base: fetch more history",)), "GL ?"),
        (failed("the worker ended"), "GL ?"),
        (StatusUpdate(False, 86.0, changed=True), "GL 86"),
        (StatusUpdate(False, 86.0, 3.0, changed=True), "GL 86 ▲3"),
        (StatusUpdate(False, 86.0, -3.0, changed=True), "GL 86 ▼3"),
        (StatusUpdate(False, 86.0, 3.0, Outcome.UNDECIDED, changed=True), "GL ?"),
        (StatusUpdate(False, None, changed=True), "GL ?"),
    ],
)
def test_labels(update: StatusUpdate, label: str) -> None:
    assert update.label == label


def test_a_status_carries_what_a_tooltip_needs() -> None:
    status = status_of(judged(90.0, errors=90.0), judged(87.0, errors=87.0).score)
    assert (status.label, status.new_findings, status.reasons) == ("GL 90 ▲3", 1, ("all well",))


def test_on_the_wire_each_finding_has_its_points_and_severity() -> None:
    error, old = to_wire(judged(90.0, errors=90.0)).findings
    assert (error.points, error.severity, old.points, old.severity) == (6.7, "warning", 0.0, "hint")
