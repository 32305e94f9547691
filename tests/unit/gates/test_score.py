"""The score, its breakdown, and the floors."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gate_inputs import FINDINGS, INPUTS, LEVELS, POLICIES, documented, finding, function
from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.inputs import Availability, GateInput
from gateline.gates.points import apportioned, tenths
from gateline.gates.score import score
from gateline.gates.values import inverse
from gateline.model import Dimension, Level, Policy, Score, State, Weight
from gateline.model.evaluation import Part
from gateline.model.policy import Profile, Weights

NO_COVERAGE = {Dimension.COVERAGE: Availability(State.NO_DATA, "not yet measured")}
CLEAN = GateInput(availability=NO_COVERAGE)


def part(result: Score, dimension: Dimension) -> Part:
    return next(p for p in result.parts if p.dimension is dimension)


@pytest.mark.parametrize(("errors", "value"), [(0, 100), (1, 90), (3, 70), (10, 0), (14, 0)])
def test_each_error_costs_ten_points(errors: int, value: float) -> None:
    given = GateInput(findings=tuple(finding(line=i) for i in range(errors)))
    result = score(Policy(), Level.EARLY, given)
    assert (result.value, part(result, Dimension.ERRORS).value) == (value, value)


def test_old_findings_and_advice_do_not_count() -> None:
    given = GateInput(findings=(finding(old=True), finding("GTL301", weight=Weight.ADVICE)), credit=3)
    result = score(Policy(), Level.FINAL, given)
    assert (result.value, result.credit) == (100, 3)


def test_security_is_shown_at_early_and_counts_from_middle() -> None:
    given = GateInput(findings=(finding("GTL301"), finding("GTL301", 1)), availability=NO_COVERAGE)
    early, middle = (score(Policy(), level, given) for level in (Level.EARLY, Level.MIDDLE))
    assert (early.value, part(early, Dimension.SECURITY).state) == (100, State.NOT_DUE)
    assert part(middle, Dimension.SECURITY).value == 80
    assert middle.value == 93.3  # (0.4 · 100 + 0.2 · 80) / 0.6


@pytest.mark.parametrize(
    ("level", "evidence"), [(Level.EARLY, 1.0), (Level.MIDDLE, 0.705882), (Level.FINAL, 0.75)]
)
def test_evidence_without_coverage(level: Level, evidence: float) -> None:
    given = GateInput(NO_COVERAGE, functions=(function(None, 3),), documented=documented(True))
    assert score(Policy(), level, given).evidence == evidence


@pytest.mark.parametrize("state", [State.NO_DATA, State.STALE, State.FAILED])
def test_unknown_is_neither_zero_nor_clean(state: State) -> None:
    unknown = Availability(state, "types: gone")
    result = score(Policy(), Level.EARLY, GateInput({Dimension.ERRORS: unknown}, (finding(),)))
    errors = part(result, Dimension.ERRORS)
    assert (result.value, result.raw, result.evidence) == (None, None, 0)
    assert (errors.state, errors.value, errors.points, errors.reason) == (state, None, 0, "types: gone")


def test_nothing_to_judge_leaves_score_and_evidence() -> None:
    nothing = {d: Availability(State.NOTHING_TO_JUDGE) for d in Dimension}
    result = score(Policy(), Level.FINAL, GateInput(nothing))
    assert (result.value, result.evidence) == (None, 1.0)


@pytest.mark.parametrize(("value", "expected"), [(1, 1), (10, 1), (15, 0.75), (20, 0.5), (30, 0), (99, 0)])
def test_inverse(value: float, expected: float) -> None:
    assert inverse(value, 10, 30) == expected


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [(None, 10, 100), (None, 20, 50), (24, 24, 100), (20, 25, 50), (40, 35, 100), (30, 31, 0), (8, 12, 90)],
)
def test_a_function_is_as_good_as_its_base(before: float | None, after: float, value: float) -> None:
    result = score(Policy(), Level.FINAL, GateInput(functions=(function(before, after),)))
    assert part(result, Dimension.COMPLEXITY).value == value


def test_removed_functions_are_not_judged() -> None:
    result = score(Policy(), Level.FINAL, GateInput(functions=(function(12, None),)))
    assert part(result, Dimension.COMPLEXITY).state is State.NOTHING_TO_JUDGE


def test_documentation_is_a_share() -> None:
    result = score(Policy(), Level.FINAL, GateInput(documented=documented(True, True, False, True)))
    assert part(result, Dimension.DOCUMENTATION).value == 75


def test_duplication_is_judged_without_weight() -> None:
    result = score(Policy(), Level.FINAL, GateInput(duplicated=0.5))
    duplication = part(result, Dimension.DUPLICATION)
    assert (duplication.value, duplication.weight, duplication.points) == (50, 0, 0)
    assert result.raw == 100


@pytest.mark.parametrize(
    ("code", "level", "weight", "capped"),
    [
        ("GTL101", Level.EARLY, Weight.FLOOR, False),
        ("GTL101", Level.MIDDLE, Weight.FLOOR, False),
        ("GTL101", Level.FINAL, Weight.FLOOR, True),
        ("GTL310", Level.EARLY, Weight.FLOOR, False),
        ("GTL310", Level.MIDDLE, Weight.FLOOR, True),
        ("GTL301", Level.FINAL, Weight.FLOOR, True),
        ("GTL301", Level.FINAL, Weight.COUNTS, False),
    ],
)
def test_floors_cap_the_score(code: str, level: Level, weight: Weight, capped: bool) -> None:
    result = score(Policy(), level, GateInput(findings=(finding(code, weight=weight),)))
    assert bool(result.floors) is capped
    assert result.value == (59 if capped else result.raw)


def test_old_floor_findings_do_not_cap() -> None:
    assert score(Policy(), Level.FINAL, GateInput(findings=(finding("GTL310", old=True),))).floors == ()


def test_plain_has_no_floors_and_counts_old_findings() -> None:
    policy = Policy(profile=Profile.PLAIN)
    given = GateInput(findings=(finding("GTL310"), finding(old=True)))
    result = score(policy, Level.FINAL, given)
    assert result.floors == ()
    assert part(result, Dimension.ERRORS).value == 90


def test_every_constant_is_a_setting() -> None:
    policy = Policy(error_points=25, security_points=50, floor_cap=10, complexity_best=2, complexity_worst=4)
    given = GateInput(findings=(finding(), finding("GTL310")), functions=(function(None, 3),))
    result = score(policy, Level.FINAL, given)
    values = [part(result, d).value for d in (Dimension.ERRORS, Dimension.SECURITY, Dimension.COMPLEXITY)]
    assert (values, result.value) == ([75, 50, 50], 10)


def test_no_weight_means_no_score() -> None:
    weights = Weights(errors=0, coverage=1, security=0, complexity=0, documentation=0)
    assert score(Policy(weights=weights), Level.EARLY, GateInput()).value is None


@given(POLICIES, LEVELS, INPUTS)
def test_parts_add_up_to_the_score_exactly(policy: Policy, level: Level, given: GateInput) -> None:
    result = score(policy, level, given)
    points = sum(Fraction(f"{p.points:.1f}") for p in result.parts)
    assert points == Fraction(f"{result.raw or 0:.1f}")
    assert all(round(p.points, 1) == p.points for p in result.parts)


@given(POLICIES, LEVELS, INPUTS)
def test_a_score_is_within_its_bounds(policy: Policy, level: Level, given: GateInput) -> None:
    result = score(policy, level, given)
    assert 0 <= result.evidence <= 1
    for value in (result.value, result.raw, *(p.value for p in result.parts)):
        assert value is None or 0 <= value <= 100
    for p in result.parts:
        assert (p.value is not None) is (p.state is State.MEASURED)
    if result.floors and result.value is not None:
        assert result.value <= policy.floor_cap


@given(POLICIES, LEVELS, INPUTS, FINDINGS)
def test_a_new_finding_never_raises_the_score(
    policy: Policy, level: Level, given: GateInput, more: tuple[object, ...]
) -> None:
    worse = GateInput(given.availability, (*given.findings, *more), given.functions, given.documented)  # type: ignore[arg-type]
    before, after = score(policy, level, given), score(policy, level, worse)
    assert (before.raw is None) is (after.raw is None)
    if before.value is not None and after.value is not None:
        assert after.value <= before.value


@given(st.lists(st.fractions(0, 100), max_size=8))
def test_apportioned_points_are_close_to_their_parts(parts: list[Fraction]) -> None:
    shown = apportioned(parts)
    assert sum(shown) == tenths(sum(parts, Fraction()))
    assert all(abs(Fraction(s) - part * 10) < 1 for s, part in zip(shown, parts, strict=True))
