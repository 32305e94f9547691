"""From a change and its reports to an evaluation."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from gate_inputs import case, changed, finding, report

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.gates.result import blocking
from gateline.model import (
    Dimension,
    Evaluation,
    FileChange,
    FileStatus,
    Level,
    Measure,
    Novelty,
    Outcome,
    Part,
    Policy,
    Report,
    State,
    Status,
)
from gateline.model.policy import Profile

CLEAN = "def f(a):\n    return a\n"
EDITED = "def f(a):\n    return a + 1\n"


def part(evaluation: Evaluation, dimension: Dimension) -> Part:
    return next(p for p in evaluation.score.parts if p.dimension is dimension)


def having(made: Case, *reports: Report, base: bool = False) -> Case:
    """The case, with these reports in the place of those of the same dimension."""
    field = "base_reports" if base else "reports"
    known = getattr(made, field)
    told = {r.dimension for r in reports}
    return replace(
        made,
        **{
            field: {
                path: [*(r for r in old if r.dimension not in told), *reports] for path, old in known.items()
            }
        },
    )


def test_a_clean_change_is_accepted_with_what_is_missing_said() -> None:
    measures = (Measure("documented", 1, "f"), Measure("documented", 1))
    made = having(case(changed(CLEAN, EDITED)), report(Dimension.DOCUMENTATION, measures=measures))
    cyclomatic = report(Dimension.COMPLEXITY, measures=(Measure("cyclomatic", 1, "f"),))
    evaluation = judge(having(made, cyclomatic))
    assert (evaluation.score.value, evaluation.score.evidence) == (100, 0.75)
    assert evaluation.decision.outcome is Outcome.ACCEPT
    assert "coverage: no data (not yet measured)" in evaluation.limits


def test_same_case_same_evaluation_also_after_a_journey() -> None:
    made = having(case(changed(CLEAN, EDITED)), report(Dimension.ERRORS, finding(line=1)))
    assert judge(made) == judge(pickle.loads(pickle.dumps(made)))


def test_only_new_findings_count_and_fixed_ones_are_credit() -> None:
    base = "import os\nbad(1)\nworse(1)\n"
    now = "bad(1)\nbad(2)\n"
    made = case(changed(base, now), level=Level.EARLY)
    made = having(made, report(Dimension.ERRORS, finding(line=1), finding(line=2)), base=True)
    made = having(made, report(Dimension.ERRORS, finding(line=0), finding(line=1, message="other")))
    evaluation = judge(made)
    assert [f.novelty for f in evaluation.findings] == [Novelty.OLD, Novelty.NEW]
    assert (evaluation.score.value, evaluation.score.credit, len(evaluation.fixed)) == (90, 1, 1)


@pytest.mark.parametrize("state", [State.FAILED, State.NO_DATA, State.STALE])
def test_a_tool_that_is_gone_is_never_clean_and_fixes_nothing(state: State) -> None:
    made = case(changed("bad()\n", "bad()\nx = 1\n"), level=Level.EARLY)
    made = having(made, report(Dimension.ERRORS, finding()), base=True)
    evaluation = judge(having(made, report(Dimension.ERRORS, state=state, reason="killed")))
    errors = part(evaluation, Dimension.ERRORS)
    assert (errors.state, errors.reason, errors.value) == (state, "killed", None)
    assert (evaluation.score.value, evaluation.fixed) == (None, ())
    assert f"errors: {state} (killed)" in evaluation.limits


def test_one_failed_report_beside_a_good_one_is_a_failure() -> None:
    made = having(
        case(changed(CLEAN, EDITED), level=Level.EARLY),
        report(Dimension.ERRORS, analyzer="syntax"),
        report(Dimension.ERRORS, analyzer="types", state=State.FAILED, reason="killed"),
    )
    assert part(judge(made), Dimension.ERRORS).state is State.FAILED


def test_without_an_answer_for_the_base_its_lines_are_not_blamed() -> None:
    made = case(changed("bad(1)\nx = (\n", "bad(1)\nx = ()\nbad(2)\n"))
    made = having(made, report(Dimension.SECURITY, state=State.NO_DATA, reason="does not parse"), base=True)
    made = having(made, report(Dimension.SECURITY, finding("GTL301", 0), finding("GTL301", 2)))
    assert [f.novelty for f in judge(made).findings] == [Novelty.OLD, Novelty.NEW]


def test_a_syntax_error_stops_early_and_caps_final() -> None:
    broken = report(Dimension.ERRORS, finding("GTL101", 1))
    early, final = (
        judge(having(case(changed(CLEAN, "def f(:\n"), level=level), broken))
        for level in (Level.EARLY, Level.FINAL)
    )
    assert early.decision.outcome is Outcome.FAST_FAIL
    assert (final.score.value, final.decision.outcome) == (59, Outcome.REQUIRE_ITERATION)
    gate = blocking(final)
    assert gate is not None
    assert (gate.code, gate.span.start.line) == ("GTL900", 1)


def test_nothing_blocks_where_the_gate_passes() -> None:
    assert blocking(judge(case(changed(CLEAN, EDITED)))) is None


def test_changed_functions_are_compared_with_their_base() -> None:
    base = "def same():\n    pass\n\ndef worse():\n    pass\n\ndef gone():\n    pass\n"
    now = "\ndef same():\n    pass\n\ndef worse():\n    return 1\n\ndef born():\n    pass\n"
    made = case(changed(base, now))
    cyclomatic = {"same": (25, 25), "worse": (12, 20), "gone": (3, None), "born": (None, 5)}
    before = tuple(Measure("cyclomatic", b, n, i) for i, (n, (b, _)) in enumerate(cyclomatic.items()) if b)
    after = tuple(Measure("cyclomatic", a, n, i) for i, (n, (_, a)) in enumerate(cyclomatic.items()) if a)
    made = having(made, report(Dimension.COMPLEXITY, measures=before), base=True)
    evaluation = judge(having(made, report(Dimension.COMPLEXITY, measures=after)))
    rows = {f.symbol: (f.complexity_before, f.complexity_after) for f in evaluation.functions}
    assert rows == {"worse": (12, 20), "born": (None, 5), "gone": (3, None)}
    # worse: best is 12, so (30 - 20) / 18; born: 1.
    assert part(evaluation, Dimension.COMPLEXITY).value == pytest.approx(100 * (10 / 18 + 1) / 2)


def test_a_moved_function_is_not_a_changed_one() -> None:
    made = case(changed(CLEAN, "", "a.py"), changed("", CLEAN, "b.py"))
    measure = report(Dimension.COMPLEXITY, measures=(Measure("cyclomatic", 25, "f"),))
    empty = report(Dimension.COMPLEXITY)
    others = [r for r in made.reports["a.py"] if r.dimension is not Dimension.COMPLEXITY]
    made = replace(
        made,
        reports={"a.py": [*others, empty], "b.py": [*others, measure]},
        base_reports={"a.py": [*others, measure], "b.py": [*others, empty]},
    )
    assert judge(made).functions == ()


def test_only_touched_public_names_are_judged() -> None:
    base = '"""M."""\n\ndef old():\n    pass\n'
    now = f"{base}\ndef new():\n    pass\n"
    docs = [Measure("documented", 1, ""), Measure("documented", 0, "old", 2)]
    made = having(case(changed(base, now)), report(Dimension.DOCUMENTATION, measures=tuple(docs)), base=True)
    docs.append(Measure("documented", 0, "new", 5))
    evaluation = judge(having(made, report(Dimension.DOCUMENTATION, measures=tuple(docs))))
    assert part(evaluation, Dimension.DOCUMENTATION).value == 0
    assert "document `new`" in [a.text for a in evaluation.decision.required_actions]


def test_a_changed_method_does_not_make_its_class_changed() -> None:
    base = "class A:\n    x = 1\n\n    def m(self):\n        return 1\n"
    docs = tuple(Measure("documented", 0, name, line) for name, line in (("A", 0), ("A.m", 3)))
    made = case(changed(base, base.replace("return 1", "return 2")))
    made = having(made, report(Dimension.DOCUMENTATION, measures=docs), base=True)
    evaluation = judge(having(made, report(Dimension.DOCUMENTATION, measures=docs)))
    assert part(evaluation, Dimension.DOCUMENTATION).detail.startswith("0 of 1 ")


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


def test_a_change_without_python_has_nothing_to_judge() -> None:
    evaluation = judge(replace(case(changed("a", "b", "README.md")), reports={}, base_reports={}))
    assert (evaluation.score.value, evaluation.score.evidence) == (None, 1)
    assert (evaluation.decision.outcome, evaluation.decision.status) == (Outcome.ACCEPT, Status.PASS)


def test_no_change_at_all_has_nothing_to_judge() -> None:
    assert judge(case()).score.value is None


def test_without_reports_nothing_is_clean() -> None:
    evaluation = judge(replace(case(changed(CLEAN, EDITED)), reports={}, base_reports={}))
    assert (evaluation.score.value, evaluation.score.evidence) == (None, 0)
    assert evaluation.decision.outcome is Outcome.UNDECIDED


def test_what_is_switched_off_does_not_lower_the_evidence() -> None:
    made = replace(case(changed(CLEAN, EDITED)), off=frozenset({Dimension.COVERAGE}))
    assert judge(made).score.evidence == 1


def test_skipped_files_are_said() -> None:
    file = FileChange("big.py", FileStatus.MODIFIED, None, None, "5 MB, over 3 MB")
    evaluation = judge(replace(case(file), reports={}, base_reports={}))
    assert evaluation.limits == ("big.py: skipped (5 MB, over 3 MB)",)
    assert evaluation.files[0].skipped == "5 MB, over 3 MB"


def test_what_was_measured_without_something_is_said_once() -> None:
    made = case(changed("x = 1\n", "x = 2\n"), changed("y = 1\n", "y = 2\n", "b.py"))
    types = report(Dimension.ERRORS, analyzer="types", reason="mypy plug-ins did not run")
    for path in made.reports:
        made = replace(made, reports={**made.reports, path: (*made.reports[path], types)})
    said = [limit for limit in judge(made).limits if "plug-ins" in limit]
    assert said == ["types: mypy plug-ins did not run"]


def test_findings_in_unchanged_files_are_told_from_their_base() -> None:
    made = case(changed(CLEAN, EDITED), level=Level.EARLY)
    old, new = finding(line=0, path="b.py"), finding(line=1, path="b.py", message="broken caller")
    made = replace(
        made,
        reports={**made.reports, "b.py": [report(Dimension.ERRORS, old, new)]},
        base_reports={**made.base_reports, "b.py": [report(Dimension.ERRORS, old)]},
        unchanged={"b.py": replace(made.change.files[0].base, path="b.py", text="x()\nf()\n", digest="")},
    )
    evaluation = judge(made)
    assert [f.novelty for f in evaluation.findings] == [Novelty.OLD, Novelty.NEW]
    assert evaluation.score.value == 90


def test_renamed_file_keeps_what_was_old() -> None:
    file = changed("bad()\n", "bad()\nx = 1\n", "new.py", "old.py")
    made = case(file, level=Level.EARLY)
    made = having(made, report(Dimension.ERRORS, finding(path="old.py")), base=True)
    evaluation = judge(having(made, report(Dimension.ERRORS, finding(path="new.py"))))
    assert [f.novelty for f in evaluation.findings] == [Novelty.OLD]
    assert evaluation.fixed == ()


def test_plain_judges_every_finding_and_every_function() -> None:
    measures = (Measure("cyclomatic", 20, "f"),)
    made = case(changed(CLEAN, f"{CLEAN}x = 1\n"), policy=Policy(profile=Profile.PLAIN))
    for base in (True, False):
        made = having(
            made,
            report(Dimension.ERRORS, finding(line=1)),
            report(Dimension.COMPLEXITY, measures=measures),
            base=base,
        )
    evaluation = judge(made)
    assert part(evaluation, Dimension.ERRORS).value == 90
    assert part(evaluation, Dimension.COMPLEXITY).state is State.MEASURED


def test_duplicated_lines_are_a_share_of_the_changed_files() -> None:
    made = having(
        case(changed(CLEAN, EDITED)),
        report(Dimension.DUPLICATION, measures=(Measure("duplicated_lines", 1),)),
    )
    assert part(judge(made), Dimension.DUPLICATION).value == 50


def test_what_was_not_looked_at_again_is_not_fixed() -> None:
    made = case(changed("secret\nother\n", "secret\n"))
    before = report(Dimension.SECURITY, finding("GTL310", 0), finding("GTL310", 1), analyzer="secrets")
    made = having(having(made, before, base=True), report(Dimension.SECURITY, analyzer="secrets"))
    assert [f.span.start.line for f in judge(made).fixed] == [1]


def test_a_mended_comment_is_no_credit() -> None:
    evaluation = judge(case(changed("x = 1  # gateline: ignore[GTL110]\n", "x = 1\n")))
    assert (evaluation.findings, evaluation.fixed, evaluation.score.credit) == ((), (), 0)
