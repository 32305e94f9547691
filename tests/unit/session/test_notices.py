"""What gateline says of itself: not what a finding on the same line says already."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.gates.result import GATE
from gateline.model import Dimension, Evaluation, Finding, Level, Novelty, Progress, Score, Span, Weight
from gateline.model.evaluation import Action, Decision, FileSummary, Outcome, Status
from gateline.session.live.notices import of_gate, of_verdict

BROKEN = Finding(
    "GTL101", "a.py", Span.of(0, 5, 0, 6), "No end", Dimension.ERRORS, Weight.FLOOR, identity="1"
)


@pytest.mark.parametrize(
    ("progress", "outcome", "drawn"),
    [
        (Progress.INFERRED, Outcome.FAST_FAIL, False),
        (Progress.SAID, Outcome.FAST_FAIL, True),
        (Progress.INFERRED, Outcome.REQUIRE_ITERATION, True),
    ],
    ids=["while somebody types", "somebody asked", "a final check"],
)
def test_a_half_typed_line_is_drawn_once(progress: Progress, outcome: Outcome, drawn: bool) -> None:
    action = Action("fix GTL101: No end", 10, "1", "a.py", 0, must=True)
    decision = Decision(outcome, Status.FAIL, ("1 new syntax error",), (action,))
    evaluation = Evaluation(
        Level.EARLY, progress, "", "", Score(59, 90, 1.0), decision, findings=(BROKEN,), files=()
    )
    found = [finding for made in of_gate(evaluation).values() for finding in made]
    assert [finding.code for finding in found] == [GATE] * drawn
    assert all(finding.span != BROKEN.span and finding.span.start.line == 0 for finding in found)
    assert not of_gate(evaluation, live=True) or outcome is not Outcome.FAST_FAIL


@pytest.mark.parametrize(
    ("skipped", "novelty", "codes"),
    [
        ("cannot be decoded", Novelty.NEW, ["GTL101"]),
        ("cannot be decoded", Novelty.OLD, ["GTL904"]),
        ("", Novelty.NEW, []),
    ],
    ids=["it is new", "the base had it", "its own analysis tells"],
)
def test_a_file_that_is_not_read_is_told_of_once(skipped: str, novelty: Novelty, codes: list[str]) -> None:
    decision = Decision(Outcome.REQUIRE_ITERATION, Status.FAIL)
    evaluation = Evaluation(
        Level.FINAL,
        Progress.SAID,
        "",
        "",
        Score(59, 90, 1.0),
        decision,
        findings=(replace(BROKEN, novelty=novelty),),
        files=(FileSummary("a.py", "modified", skipped),),
    )
    assert [finding.code for finding in of_verdict(evaluation).get("a.py", ())] == codes
