"""What was not measured never passes: sources of errors, and what each gap means at final."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import CLEAN, EDITED, NO_TESTS, case, changed, finding, having, part, report

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.model import (
    Dimension,
    FileChange,
    FileStatus,
    Level,
    Measure,
    Outcome,
    State,
    Status,
    TestRun,
    Weight,
)

RAN = TestRun("all", run=20, total=20)
NOT_RUN = TestRun(
    "none", total=20, state=State.NO_DATA, reason="no pytest in /x/python", next_step="install pytest there"
)
CHOSEN = replace(
    NOT_RUN, reason="--tests none", next_step="run them: `gateline check --tests all`", chosen=True
)
UNKNOWN = (State.NO_DATA, State.STALE, State.FAILED)


def complete(tests: TestRun | None, level: Level = Level.FINAL) -> Case:
    """A small clean change of which everything but the tests is known."""
    coverage = report(Dimension.COVERAGE, measures=(Measure("executable", 30), Measure("covered", 30)))
    made = replace(case(changed(CLEAN, EDITED), level=level), tests=tests)
    return replace(made, reports={"a.py": [*made.reports["a.py"], coverage]})


def test_tests_that_did_not_run_count_by_the_share_of_their_source() -> None:
    evaluation = judge(complete(NOT_RUN))
    errors = part(evaluation, Dimension.ERRORS)
    assert (errors.state, errors.value) == (State.MEASURED, 100)
    assert errors.detail == "no new findings; 2 of 3 sources: tests did not run (no pytest in /x/python)"
    assert [(s.name, s.state) for s in errors.sources] == [
        ("parser", State.MEASURED),
        ("types", State.MEASURED),
        ("tests", State.NO_DATA),
    ]
    # 0.4 · 2/3 + 0.25 + 0.2 of 0.85: complexity and documentation have nothing to judge here.
    assert evaluation.score.evidence == pytest.approx(0.716667 / 0.85, abs=1e-6)


def test_without_any_tests_coverage_is_no_condition() -> None:
    gone = report(Dimension.COVERAGE, state=State.NO_DATA, reason="there are no tests")
    evaluation = judge(having(complete(NO_TESTS), gone))
    assert evaluation.decision.outcome is Outcome.ACCEPT
    assert "coverage: no data (there are no tests)" in evaluation.limits


@pytest.mark.parametrize("state", [State.NO_DATA, State.FAILED])
@pytest.mark.parametrize(
    ("tests", "why"),
    [
        (replace(NOT_RUN, state=State.FAILED, reason="the tests cannot start"), "the tests cannot start"),
        (replace(NOT_RUN, run=3, reason="17 tests are late"), "boom"),
        (RAN, "boom"),
    ],
    ids=["none ran", "some ran", "all ran"],
)
def test_coverage_says_what_tests_say_where_none_ran(tests: TestRun, why: str, state: State) -> None:
    gone = report(Dimension.COVERAGE, state=state, reason="boom")
    evaluation = judge(having(complete(tests), gone))
    assert part(evaluation, Dimension.COVERAGE).reason == why


def test_another_tools_coverage_counts_where_no_test_ran() -> None:
    assert part(judge(complete(NOT_RUN)), Dimension.COVERAGE).state is State.MEASURED


def test_a_project_without_tests_has_two_sources() -> None:
    evaluation = judge(complete(NO_TESTS))
    assert evaluation.score.evidence == 1
    assert part(evaluation, Dimension.ERRORS).detail == "no new findings"
    assert evaluation.decision.outcome is Outcome.ACCEPT


@pytest.mark.parametrize("level", list(Level))
def test_every_checkpoint_says_that_tests_did_not_run(level: Level) -> None:
    evaluation = judge(complete(NOT_RUN, level))
    said = "tests did not run (no pytest in /x/python)"
    assert evaluation.score.evidence < 1
    assert said in evaluation.limits
    assert any(reason.startswith(said) for reason in evaluation.decision.reasons)
    assert evaluation.tests is not None
    assert evaluation.tests.failing is None


@pytest.mark.parametrize("state", UNKNOWN)
def test_tests_that_are_due_and_did_not_run_leave_it_undecided(state: State) -> None:
    evaluation = judge(complete(replace(NOT_RUN, state=state)))
    assert evaluation.decision.outcome is Outcome.UNDECIDED
    assert evaluation.decision.reasons[0].endswith("(no pytest in /x/python); install pytest there")
    assert [a.text for a in evaluation.decision.required_actions][-1].endswith("install pytest there")


def test_nobody_looked_for_tests_is_no_clean_run_either() -> None:
    assert judge(complete(None)).decision.outcome is Outcome.UNDECIDED


def test_tests_that_ran_are_accepted_and_counted() -> None:
    evaluation = judge(complete(RAN))
    assert evaluation.decision.outcome is Outcome.ACCEPT
    assert evaluation.tests == replace(RAN, failing=0)


def test_a_person_who_chose_that_gets_conditions_at_most() -> None:
    decision = judge(complete(CHOSEN)).decision
    assert (decision.outcome, decision.status) == (Outcome.CONDITIONAL_ACCEPT, Status.WARN)
    assert "tests did not run (--tests none); run them: `gateline check --tests all`" in decision.reasons[0]
    assert decision.required_actions[0].must


@pytest.mark.parametrize("state", UNKNOWN)
@pytest.mark.parametrize("name", ["types", "security", "integrity"])
def test_without_a_required_source_nothing_is_decided(name: str, state: State) -> None:
    dimension = Dimension.ERRORS if name == "types" else Dimension(name)
    gone = report(dimension, analyzer=name, state=state, reason="killed")
    decision = judge(having(complete(RAN), gone)).decision
    assert (decision.outcome, decision.status) == (Outcome.UNDECIDED, Status.WARN)
    assert "killed" in decision.reasons[0]
    assert "gateline doctor" in decision.required_actions[-1].text


@pytest.mark.parametrize("state", UNKNOWN)
@pytest.mark.parametrize("name", ["coverage", "complexity", "documentation", "duplication"])
def test_what_else_is_missing_is_a_named_condition(name: str, state: State) -> None:
    gone = report(Dimension(name), state=state, reason="crashed")
    decision = judge(having(complete(RAN), gone)).decision
    assert decision.outcome is Outcome.CONDITIONAL_ACCEPT
    assert f"{name}: {state} (crashed)" in decision.reasons[0], "some formats show the first reason alone"


@pytest.mark.parametrize(
    ("state", "outcome"), [(State.FAILED, Outcome.CONDITIONAL_ACCEPT), (State.NO_DATA, Outcome.ACCEPT)]
)
def test_performance_that_failed_is_a_condition_and_one_not_timed_is_only_said(
    state: State, outcome: Outcome
) -> None:
    evaluation = judge(having(complete(RAN), report(Dimension.PERFORMANCE, state=state, reason="no time")))
    assert evaluation.decision.outcome is outcome
    assert any(f"performance: {state} (no time)" in said for said in evaluation.decision.reasons)


def test_a_broken_floor_comes_before_what_is_missing() -> None:
    broken = report(Dimension.SECURITY, finding("GTL301", weight=Weight.FLOOR))
    decision = judge(having(complete(NOT_RUN), broken)).decision
    assert (decision.outcome, decision.status) == (Outcome.REQUIRE_ITERATION, Status.FAIL)


def test_a_document_alone_needs_no_tests_where_none_could_see_it() -> None:
    page = replace(case(changed("a", "b", "README.md")), reports={}, base_reports={})
    assert judge(page).decision.outcome is Outcome.ACCEPT
    assert judge(replace(page, tests=NOT_RUN)).decision.outcome is Outcome.UNDECIDED
    assert judge(replace(page, tests=CHOSEN)).decision.outcome is Outcome.CONDITIONAL_ACCEPT


def test_types_that_are_switched_off_are_no_source() -> None:
    made = having(
        complete(RAN), report(Dimension.ERRORS, analyzer="types", state=State.NO_DATA, reason="off")
    )
    errors = part(judge(replace(made, off_sources=frozenset({"types"}))), Dimension.ERRORS)
    assert errors.sources[1].state is State.NOTHING_TO_JUDGE
    assert errors.detail == "no new findings"


def test_a_file_that_was_not_read_costs_that_file_and_the_decision() -> None:
    big = FileChange("big.py", FileStatus.MODIFIED, None, None, "5 MB, over 3 MB")
    made = complete(RAN)
    evaluation = judge(replace(made, change=replace(made.change, files=(*made.change.files, big))))
    assert part(evaluation, Dimension.ERRORS).state is State.MEASURED
    assert evaluation.decision.outcome is Outcome.UNDECIDED
    assert "the parser did not read every file (big.py: 5 MB, over 3 MB)" in evaluation.limits


def test_more_that_fails_than_ran_is_told_as_what_it_is() -> None:
    broken = report(Dimension.ERRORS, finding("GTL201"), analyzer="tests")
    decision = judge(having(complete(RAN, Level.MIDDLE), broken)).decision
    assert decision.outcome is Outcome.ADJUST_STRATEGY
    assert decision.reasons[0] == "1 failing test or test file, and 0 tests ran"


@pytest.mark.parametrize(("tests", "outcome"), [(CHOSEN, "conditional-accept"), (NOT_RUN, "undecided")])
def test_what_a_person_chose_does_not_leave_too_little_evidence(tests: TestRun, outcome: str) -> None:
    gone = report(Dimension.COVERAGE, state=State.NO_DATA, reason=tests.reason)
    made = replace(having(case(changed(CLEAN, EDITED)), gone), tests=tests)
    made = replace(made, policy=replace(made.policy, evidence=0.6))
    evaluation = judge(made)
    # 0.4 · 2/3 + 0.2 of 0.85: 55 %.
    assert evaluation.score.evidence < 0.6
    assert evaluation.decision.outcome == outcome


def test_an_evidence_just_too_low_does_not_read_as_enough() -> None:
    gone = report(Dimension.COVERAGE, state=State.NO_DATA, reason=NOT_RUN.reason)
    made = replace(having(case(changed(CLEAN, EDITED)), gone), tests=NOT_RUN)
    made = replace(made, policy=replace(made.policy, evidence=0.55))
    assert judge(made).decision.reasons[0].startswith("evidence 54.9% is below 55.0%: tests did not run")


def test_where_nothing_changed_no_tests_are_waited_for() -> None:
    whole = replace(complete(NOT_RUN), reports={}, base_reports={})
    nothing = judge(replace(whole, change=replace(whole.change, files=(), others=())))
    assert (nothing.limits, nothing.decision.outcome) == ((), Outcome.ACCEPT)
    told = replace(whole.change, files=(), others=(), limits=("nothing differs, but the clone is shallow",))
    assert judge(replace(whole, change=told)).limits == ("nothing differs, but the clone is shallow",)
