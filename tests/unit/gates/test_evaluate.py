"""From a change and its reports to an evaluation."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from gate_inputs import CLEAN, EDITED, case, changed, finding, having, part, report

from gateline.gates.evaluate import judge
from gateline.gates.result import blocking
from gateline.model import (
    Dimension,
    FileChange,
    FileStatus,
    Level,
    Measure,
    Novelty,
    Outcome,
    State,
    Status,
    TestRun,
)


def test_a_clean_change_is_accepted_on_the_condition_of_what_is_missing() -> None:
    measures = (Measure("documented", 1, "f"), Measure("documented", 1))
    ran = replace(case(changed(CLEAN, EDITED)), tests=TestRun("all", run=1, total=1))
    made = having(ran, report(Dimension.DOCUMENTATION, measures=measures))
    cyclomatic = report(Dimension.COMPLEXITY, measures=(Measure("cyclomatic", 1, "f"),))
    evaluation = judge(having(made, cyclomatic))
    assert (evaluation.score.value, evaluation.score.evidence) == (100, 0.75)
    assert evaluation.decision.outcome is Outcome.CONDITIONAL_ACCEPT
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


def test_a_parser_that_failed_on_one_file_leaves_no_errors_known() -> None:
    made = having(
        case(changed(CLEAN, EDITED), level=Level.EARLY),
        report(Dimension.ERRORS, analyzer="types"),
        report(Dimension.ERRORS, analyzer="syntax", state=State.FAILED, reason="killed"),
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


def test_skipped_files_are_said() -> None:
    file = FileChange("big.py", FileStatus.MODIFIED, None, None, "5 MB, over 3 MB")
    evaluation = judge(replace(case(file), reports={}, base_reports={}))
    assert evaluation.limits[0] == "big.py: skipped (5 MB, over 3 MB)"
    assert evaluation.decision.outcome is Outcome.UNDECIDED
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
