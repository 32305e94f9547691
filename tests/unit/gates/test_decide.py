"""Decisions, required actions, severity, trajectory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import INPUTS, LEVELS, POLICIES, case, finding
from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.actions import possible_actions, required_actions
from gateline.gates.decide import Counts, decide
from gateline.gates.evaluate import judge
from gateline.gates.inputs import Availability, DocumentedChange, GateInput
from gateline.gates.score import score
from gateline.gates.severity import severity
from gateline.gates.trajectory import ACCELERATE, REFOCUS, ROLLBACK, step, trajectory
from gateline.model import Dimension, Level, Outcome, Part, Policy, Progress, Score, Severity, State, Status
from gateline.model.evaluation import FunctionChange, Thresholds
from gateline.model.finding import Weight

POLICY = Policy()


def scored(value: float | None, evidence: float = 1.0, *floors: str) -> Score:
    return Score(value, value, evidence, floors=floors)


@pytest.mark.parametrize(
    ("counts", "outcome", "status"),
    [
        (Counts(), Outcome.CONTINUE, Status.PASS),
        (Counts(type_errors=5), Outcome.CONTINUE, Status.PASS),
        (Counts(type_errors=6), Outcome.WARN_QUALITY_TREND, Status.WARN),
        (Counts(syntax_errors=1, type_errors=9), Outcome.FAST_FAIL, Status.FAIL),
    ],
)
def test_early(counts: Counts, outcome: Outcome, status: Status) -> None:
    decision = decide(POLICY, Level.EARLY, scored(100), counts)
    assert (decision.outcome, decision.status) == (outcome, status)


@pytest.mark.parametrize(
    ("value", "counts", "outcome"),
    [
        (60.0, Counts(), Outcome.CONTINUE),
        (59.9, Counts(), Outcome.WARN_BELOW_TARGET),
        (None, Counts(), Outcome.CONTINUE),
        (10.0, Counts(tests_run=10, failing_tests=1), Outcome.WARN_BELOW_TARGET),
        (90.0, Counts(tests_run=10, failing_tests=2), Outcome.ADJUST_STRATEGY),
    ],
)
def test_middle(value: float | None, counts: Counts, outcome: Outcome) -> None:
    assert decide(POLICY, Level.MIDDLE, scored(value), counts).outcome is outcome


@pytest.mark.parametrize(
    ("result", "outcome", "status"),
    [
        (scored(85), Outcome.ACCEPT, Status.PASS),
        (scored(84.9), Outcome.CONDITIONAL_ACCEPT, Status.WARN),
        (scored(70), Outcome.CONDITIONAL_ACCEPT, Status.WARN),
        (scored(69.9), Outcome.REQUIRE_ITERATION, Status.FAIL),
        (scored(100, 0.6), Outcome.ACCEPT, Status.PASS),
        (scored(100, 0.59), Outcome.UNDECIDED, Status.WARN),
        (scored(None, 0.0), Outcome.UNDECIDED, Status.WARN),
        (scored(None, 1.0), Outcome.ACCEPT, Status.PASS),
        (scored(59, 1.0, "a secret"), Outcome.REQUIRE_ITERATION, Status.FAIL),
        (scored(59, 0.1, "a secret"), Outcome.REQUIRE_ITERATION, Status.FAIL),
    ],
)
def test_final(result: Score, outcome: Outcome, status: Status) -> None:
    decision = decide(POLICY, Level.FINAL, result, Counts())
    assert (decision.outcome, decision.status) == (outcome, status)


@pytest.mark.parametrize("state", [State.STALE, State.FAILED])
def test_a_pass_never_stands_beside_a_failed_tool(state: State) -> None:
    result = replace(scored(100), parts=(Part(Dimension.DOCUMENTATION, state, "crashed"),))
    decision = decide(POLICY, Level.FINAL, result, Counts())
    assert (decision.outcome, decision.status) == (Outcome.ACCEPT, Status.WARN)
    assert f"documentation: {state} (crashed)" in decision.reasons


def test_thresholds_are_settings() -> None:
    policy = Policy(early_type_errors=0, middle_score=99, final_accept=99, final_conditional=98, evidence=0.9)
    assert decide(policy, Level.EARLY, scored(1), Counts(type_errors=1)).outcome is Outcome.WARN_QUALITY_TREND
    assert decide(policy, Level.MIDDLE, scored(98), Counts()).outcome is Outcome.WARN_BELOW_TARGET
    assert decide(policy, Level.FINAL, scored(98), Counts()).outcome is Outcome.CONDITIONAL_ACCEPT
    assert decide(policy, Level.FINAL, scored(98, 0.8), Counts()).outcome is Outcome.UNDECIDED


@pytest.mark.parametrize(
    ("found", "level", "expected"),
    [
        (finding("GTL310"), Level.FINAL, Severity.ERROR),
        (finding("GTL310"), Level.MIDDLE, Severity.WARNING),
        (finding("GTL101"), Level.EARLY, Severity.WARNING),
        (finding(), Level.FINAL, Severity.WARNING),
        (finding(weight=Weight.ADVICE), Level.FINAL, Severity.INFORMATION),
        (finding("GTL310", old=True), Level.FINAL, Severity.HINT),
        (replace(finding(), code="GTL701"), Level.FINAL, Severity.ERROR),
        (replace(finding(), code="GTL701"), Level.MIDDLE, Severity.WARNING),
    ],
)
def test_severity(found: object, level: Level, expected: Severity) -> None:
    assert severity(found, level) is expected  # type: ignore[arg-type]


def _actions(given: GateInput, policy: Policy = POLICY) -> list[tuple[str, float]]:
    result = score(policy, Level.FINAL, given)
    possible = possible_actions(policy, Level.FINAL, given, result)
    return [(a.text, a.points) for a in required_actions(policy, possible)]


def test_actions_are_ordered_by_what_they_win() -> None:
    given = GateInput(
        {Dimension.COVERAGE: Availability(State.NO_DATA, "not yet measured")},
        findings=(finding("GTL301", message="shell"), finding(message="type")),
        functions=(FunctionChange("a.py", "f", 3, None, 20),),
        documented=(DocumentedChange("a.py", "f", 3, None, False),),
    )
    assert _actions(given) == [
        ("document `f`", 6.7),
        ("simplify `f`: reduce cyclomatic complexity from 20 to 10", 6.7),
        ("fix GTL110: type", 5.3),
        ("fix GTL301: shell", 2.7),
    ]


def test_there_are_at_most_five_and_no_floor_is_cut_off() -> None:
    found = (*(finding(line=i, message=str(i)) for i in range(6)), finding("GTL310", 9, "secret"))
    actions = _actions(GateInput(findings=found))
    assert len(actions) == 5
    assert "fix GTL310: secret" in [text for text, _ in actions]
    assert [text for text, _ in _actions(GateInput(findings=found), Policy(required_actions=1))] == [
        "fix GTL310: secret"
    ]


def test_the_evaluation_names_its_thresholds() -> None:
    policy = Policy(final_accept=90, final_conditional=60, evidence=0.5)
    assert judge(case(policy=policy)).thresholds == Thresholds(90, 60, 0.5)


def test_every_finding_that_counts_has_its_step() -> None:
    found = (*(finding(line=i) for i in range(6)), finding("GTL310", 9), finding(line=20, old=True))
    given = GateInput(findings=found)
    steps = possible_actions(POLICY, Level.FINAL, given, score(POLICY, Level.FINAL, given))
    assert sorted(step.line for step in steps) == [0, 1, 2, 3, 4, 5, 9]
    assert [step.line for step in steps if step.must] == [9]


def test_more_errors_than_points_still_win_something() -> None:
    actions = _actions(GateInput(findings=tuple(finding(line=i) for i in range(20))))
    assert all(points > 0 for _, points in actions)


@given(POLICIES, LEVELS, INPUTS)
def test_the_same_input_gives_the_same_decision(policy: Policy, level: Level, given: GateInput) -> None:
    def once() -> object:
        result = score(policy, level, given)
        actions = required_actions(policy, possible_actions(policy, level, given, result))
        assert [a.points for a in actions] == sorted((a.points for a in actions), reverse=True)
        return decide(policy, level, result, Counts(1, 2), actions)

    assert repr(once()) == repr(once())


def at(errors: int, level: Level, security: int = 0) -> Score:
    found = [finding(line=i) for i in range(errors)] + [finding("GTL301", i) for i in range(security)]
    return score(POLICY, level, GateInput(findings=tuple(found)))


@pytest.mark.parametrize(
    ("early", "middle", "name", "advice"),
    [
        (0, 2, "negative trajectory", ROLLBACK),
        (0, 1, "slight degradation", REFOCUS),
        (1, 1, "steady", ()),
        (4, 1, "steady", ()),
        (5, 1, "excellent progress", ACCELERATE),
    ],
)
def test_trajectory(early: int, middle: int, name: str, advice: tuple[str, ...]) -> None:
    moved = trajectory(POLICY, at(early, Level.EARLY), at(middle, Level.MIDDLE))
    assert moved is not None
    assert (moved.delta, moved.name, moved.advice) == (10.0 * (early - middle), name, advice)


def test_trajectory_looks_only_at_what_was_measured_twice() -> None:
    moved = trajectory(POLICY, at(1, Level.EARLY), at(1, Level.MIDDLE, security=9))
    assert moved is not None
    assert moved.delta == 0


def test_trajectory_names_the_weakest_dimension() -> None:
    moved = trajectory(POLICY, at(0, Level.MIDDLE, security=3), at(1, Level.MIDDLE, security=3))
    assert moved is not None
    assert moved.focus is Dimension.SECURITY


def test_inferred_checkpoints_never_advise_a_rollback() -> None:
    moved = trajectory(POLICY, at(0, Level.EARLY), at(9, Level.MIDDLE), Progress.INFERRED)
    assert moved is not None
    assert (moved.name, moved.advice) == ("negative trajectory", ())


def test_no_trajectory_without_anything_in_common() -> None:
    failed = GateInput({Dimension.ERRORS: Availability(State.FAILED, "gone")})
    assert trajectory(POLICY, score(POLICY, Level.EARLY, failed), at(0, Level.MIDDLE)) is None


@given(st.floats(0, 100))
def test_a_score_is_accepted_exactly_from_its_threshold(value: float) -> None:
    outcome = decide(POLICY, Level.FINAL, scored(value), Counts()).outcome
    assert (outcome is Outcome.ACCEPT) is (value >= 85)
    assert (outcome is Outcome.REQUIRE_ITERATION) is (value < 70)


def test_a_step_at_one_checkpoint_is_the_difference_of_scores() -> None:
    assert step(at(1, Level.EARLY), at(3, Level.EARLY)) == -20


def test_another_checkpoint_alone_is_no_step() -> None:
    early, middle = at(1, Level.EARLY), at(1, Level.MIDDLE, security=4)
    assert (early.value, middle.value) == (90, 80)
    assert step(early, middle) == step(middle, early) == 0


def test_what_got_worse_since_another_checkpoint_is_a_step() -> None:
    assert step(at(1, Level.EARLY), at(2, Level.MIDDLE, security=4)) == -10


def test_a_floor_that_breaks_is_a_step_at_its_checkpoint() -> None:
    capped = score(POLICY, Level.FINAL, GateInput(findings=(finding("GTL310"),)))
    assert step(at(0, Level.FINAL), capped) == -41


def test_without_a_score_there_is_no_step() -> None:
    nothing = Score(None, None, 0.0)
    assert step(nothing, at(0, Level.EARLY)) is step(at(0, Level.EARLY), nothing) is None
