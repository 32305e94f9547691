"""A file that cannot be measured costs itself: the others are, and it is a named condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from gate_inputs import CLEAN, EDITED, case, changed, part, report

from gateline.gates.evaluate import judge
from gateline.model import Dimension, Evaluation, Measure, Outcome, Report, State

COVERED = (Measure("executable", 30), Measure("covered", 30))
FAILED = report(Dimension.COVERAGE, state=State.FAILED, reason="coverage.py cannot read it")
FINE = report(Dimension.COVERAGE, measures=COVERED)
NOTHING = report(Dimension.COVERAGE, state=State.NOTHING_TO_JUDGE)


def judged(reports: Mapping[str, Report]) -> Evaluation:
    made = case(*(changed(CLEAN, EDITED, path) for path in reports))
    return judge(replace(made, reports={path: [*made.reports[path], one] for path, one in reports.items()}))


def test_the_others_are_measured_and_the_verdict_has_a_condition() -> None:
    evaluation = judged({"a.py": FINE, "b.py": FAILED, "c.py": NOTHING})
    coverage = part(evaluation, Dimension.COVERAGE)
    told = "coverage of 1 of 2 files is not known: b.py (coverage.py cannot read it)"
    assert (coverage.state, coverage.value, coverage.reason) == (State.MEASURED, 100, told)
    assert coverage.detail == f"30 of 30 changed lines and branches covered; {told}"
    assert [(one.name, one.state) for one in coverage.sources] == [
        ("a.py", State.MEASURED),
        ("b.py", State.FAILED),
    ]
    assert evaluation.decision.outcome is Outcome.CONDITIONAL_ACCEPT
    assert any(told in said for said in evaluation.decision.reasons) and told in evaluation.limits
    assert any(told in action.text for action in evaluation.decision.required_actions)


def test_without_it_nothing_is_missing() -> None:
    evaluation = judged({"a.py": FINE, "c.py": NOTHING})
    assert part(evaluation, Dimension.COVERAGE).reason == ""
    assert evaluation.decision.outcome is Outcome.ACCEPT


@pytest.mark.parametrize("others", [(), (NOTHING,)], ids=["alone", "beside one with nothing to judge"])
def test_where_nothing_else_is_measured_nothing_is(others: tuple[Report, ...]) -> None:
    rows = {"a.py": FAILED, **{f"{n}.py": one for n, one in enumerate(others)}}
    coverage = part(judged(rows), Dimension.COVERAGE)
    assert (coverage.state, coverage.value) == (State.FAILED, None)


def test_measured_without_anything_to_count_is_not_clean() -> None:
    empty = report(Dimension.COVERAGE, measures=(Measure("executable", 0), Measure("covered", 0)))
    coverage = part(judged({"a.py": empty, "b.py": FAILED}), Dimension.COVERAGE)
    assert (coverage.state, coverage.value) == (State.FAILED, None)


def test_of_many_files_three_are_named() -> None:
    rows = {"a.py": FINE, **{f"{name}.py": FAILED for name in "bcdef"}}
    told = part(judged(rows), Dimension.COVERAGE).reason
    assert told.startswith("coverage of 5 of 6 files are not known: b.py (") and told.endswith(", and 2 more")


def test_the_evidence_is_the_share_of_the_files() -> None:
    whole = judged({"a.py": FINE, "b.py": FINE}).score.evidence
    half = judged({"a.py": FINE, "b.py": FAILED}).score.evidence
    assert whole == 1 and half == pytest.approx(1 - 0.125 / 0.85, abs=1e-6)
