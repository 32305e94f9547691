"""What comments and settings leave out of an evaluation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import CLEAN, EDITED, case, changed, finding, having, part, report

from gateline.gates.evaluate import judge
from gateline.model import Dimension, Level, Measure, Novelty, State


def test_suppressed_findings_neither_count_nor_vanish_nor_are_credit() -> None:
    now = "def f(a):\n    return g(a)  # gateline: ignore[GTL110] the stub is wrong\n"
    made = case(changed("def f(a):\n    return g(a)\n", now), level=Level.EARLY)
    made = having(made, report(Dimension.ERRORS, finding(line=1)), base=True)
    evaluation = judge(having(made, report(Dimension.ERRORS, finding(line=1))))
    assert (evaluation.findings, len(evaluation.suppressed)) == ((), 1)
    assert (evaluation.score.value, evaluation.score.credit, evaluation.suppressions_added) == (100, 0, 1)


def test_a_suppressed_docstring_is_not_judged() -> None:
    now = "def new():  # gateline: ignore[GTL501] the name says it all\n    pass\n"
    found = report(
        Dimension.DOCUMENTATION, finding("GTL501", 0), measures=(Measure("documented", 0, "new", 0),)
    )
    evaluation = judge(having(case(changed("", now)), found))
    assert part(evaluation, Dimension.DOCUMENTATION).state is State.NOTHING_TO_JUDGE


@pytest.mark.parametrize(
    ("comment", "code"),
    [("# gateline: ignore[GTL110]", "GTL901"), ("# gateline: ignore[GTL110] none here", "GTL902")],
)
def test_complaints_are_new_only_where_the_change_made_them(comment: str, code: str) -> None:
    text = f"x = 1  {comment}\n"
    new = judge(case(changed("x = 1\n", text))).findings
    old = judge(case(changed(text, f"{text}y = 2\n"))).findings
    assert [(f.code, f.novelty) for f in (*new, *old)] == [(code, Novelty.NEW), (code, Novelty.OLD)]


def test_overrides_leave_out_findings_and_measures() -> None:
    found = report(
        Dimension.DOCUMENTATION, finding("GTL501", 0), measures=(Measure("documented", 0, "f", 0),)
    )
    made = replace(having(case(changed(CLEAN, EDITED)), found), ignored={"a.py": ("GTL5",)})
    evaluation = judge(made)
    assert evaluation.findings == ()
    assert part(evaluation, Dimension.DOCUMENTATION).state is State.NOTHING_TO_JUDGE


def test_what_is_switched_off_does_not_lower_the_evidence() -> None:
    made = replace(case(changed(CLEAN, EDITED)), off=frozenset({Dimension.COVERAGE}))
    assert judge(made).score.evidence == 1


def test_a_mended_comment_is_no_credit() -> None:
    evaluation = judge(case(changed("x = 1  # gateline: ignore[GTL110]\n", "x = 1\n")))
    assert (evaluation.findings, evaluation.fixed, evaluation.score.credit) == ((), (), 0)
