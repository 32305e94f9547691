"""What tests say in the score: failing ones, and how much of what was changed they executed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import case, changed, finding, report
from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.evaluate import judge
from gateline.gates.inputs import Coverage, GateInput
from gateline.gates.score import score
from gateline.gates.values import value_of
from gateline.model import (
    Dimension,
    Evaluation,
    Finding,
    Level,
    Measure,
    Outcome,
    Policy,
    State,
    Weight,
)
from gateline.model.evaluation import Part
from gateline.model.policy import Profile

POLICY = Policy()
PLAIN = Policy(profile=Profile.PLAIN)


def worth(covered: int, executable: int, before: float | None = None, policy: Policy = POLICY) -> float:
    value = value_of(policy, Dimension.COVERAGE, GateInput(coverage=Coverage(covered, executable, before)))
    assert value is not None
    return round(value.now, 3)


@pytest.mark.parametrize(
    ("covered", "executable", "before", "expected"),
    [
        (20, 20, None, 100.0),
        (10, 20, None, 50.0),
        (0, 20, 0.9, 0.0),
        # Few: joined by ten lines that are covered as the base is, within 0.6 and 0.95, or 0.8.
        (10, 10, None, 90.0),
        (0, 10, None, 40.0),
        (0, 10, 0.9, 45.0),
        (0, 10, 0.1, 30.0),
        (10, 10, 1.0, 97.5),
        (0, 1, None, round(100 * 8 / 11, 3)),
    ],
)
def test_the_value_of_coverage(covered: int, executable: int, before: float | None, expected: float) -> None:
    assert worth(covered, executable, before) == expected


def test_plain_does_not_smooth() -> None:
    assert worth(0, 10, 0.9, PLAIN) == 0.0


def test_nothing_that_can_be_executed_is_nothing_to_judge() -> None:
    assert value_of(POLICY, Dimension.COVERAGE, GateInput()) is None
    assert value_of(POLICY, Dimension.COVERAGE, GateInput(coverage=Coverage(0, 0))) is None


@given(
    st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.none() | st.floats(0, 1),
)
def test_one_line_more_that_is_covered_is_never_worth_less(
    share: tuple[int, int], before: float | None
) -> None:
    covered, executable = share
    if executable:
        assert 0 <= worth(covered, executable, before) <= 100
        assert worth(max(covered - 1, 0), executable, before) <= worth(covered, executable, before)


def judged(
    *found: Finding, level: Level = Level.FINAL, run: int = 20, covered: int = 20, missed: int = 0
) -> Evaluation:
    made = case(changed("x = 1\n", "x = 2\n"), level=level)
    tests = report(
        Dimension.ERRORS,
        *(f for f in found if f.dimension is Dimension.ERRORS),
        analyzer="tests",
        measures=(Measure("tests_run", run),),
    )
    coverage = report(
        Dimension.COVERAGE,
        *(f for f in found if f.dimension is Dimension.COVERAGE),
        measures=(Measure("executable", covered + missed), Measure("covered", covered)),
    )
    return judge(replace(made, reports={"a.py": [*made.reports["a.py"], tests, coverage]}))


def part(evaluation: Evaluation, dimension: Dimension) -> Part:
    return next(part for part in evaluation.score.parts if part.dimension is dimension)


def test_a_failing_test_costs_as_much_as_another_error() -> None:
    evaluation = judged(finding("GTL201", message="test_total fails"))
    assert part(evaluation, Dimension.ERRORS).value == 90
    assert evaluation.decision.outcome is Outcome.ACCEPT


def test_a_test_that_passed_at_the_base_is_a_floor() -> None:
    evaluation = judged(finding("GTL201", weight=Weight.FLOOR))
    assert evaluation.score.value == 59
    assert evaluation.decision.outcome is Outcome.REQUIRE_ITERATION


@pytest.mark.parametrize(
    ("failing", "run", "outcome"),
    [(2, 20, Outcome.CONTINUE), (3, 20, Outcome.ADJUST_STRATEGY), (1, 1, Outcome.ADJUST_STRATEGY)],
)
def test_many_failing_tests_ask_for_another_strategy(failing: int, run: int, outcome: Outcome) -> None:
    found = [finding("GTL201", message=f"test {number}", text=str(number)) for number in range(failing)]
    assert judged(*found, level=Level.MIDDLE, run=run).decision.outcome is outcome


def test_coverage_is_judged_from_middle_on() -> None:
    found = finding("GTL210", text="x = 2")
    assert part(judged(found, level=Level.EARLY, missed=20), Dimension.COVERAGE).state is State.NOT_DUE
    assert part(judged(found, level=Level.MIDDLE, missed=20), Dimension.COVERAGE).value == 50


def test_gaps_share_the_points_that_covering_them_wins() -> None:
    found = [finding("GTL210", line, f"line {line}", str(line)) for line in range(2)]
    evaluation = judged(*found, missed=20)
    steps = [action for action in evaluation.actions if action.text.startswith("cover with a test")]
    weight = part(evaluation, Dimension.COVERAGE).weight
    assert [step.points for step in steps] == [round(weight * 25, 1)] * 2
    everything = score(POLICY, Level.FINAL, GateInput(coverage=Coverage(40, 40))).value
    assert everything == 100
