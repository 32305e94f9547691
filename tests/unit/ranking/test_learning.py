"""What choices of people propose: bounded, nothing before there are enough."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.ranking.criteria import WEIGHTS
from gateline.ranking.learning import ENOUGH_CHOICES, ENOUGH_JUDGED, Choice, proposed_weights, recalibrated
from gateline.ranking.rank import rank
from gateline.ranking.values import Candidate, Category, Pool, Recalibration

VALUES = st.dictionaries(st.sampled_from(Category), st.integers(0, 4).map(lambda n: n / 4), min_size=1)
CHOICES = st.builds(Choice, VALUES, st.lists(VALUES, min_size=1, max_size=3).map(tuple))
BETTER = Choice(
    {Category.QUALITY: 0.9, Category.SAFETY: 0.5}, ({Category.QUALITY: 0.5, Category.SAFETY: 0.9},)
)
SAYS_NOTHING = Choice({Category.QUALITY: 0.5}, ({Category.QUALITY: 0.5}, {Category.SAFETY: 0.1}))


@settings(max_examples=15, deadline=None)
@given(st.lists(CHOICES, min_size=ENOUGH_CHOICES, max_size=22))
def test_weights_add_up_to_1_and_move_by_a_fifth_at_most(choices: list[Choice]) -> None:
    found = proposed_weights(choices)
    if found is None:
        return
    assert sum(found.weights.values()) == pytest.approx(1.0, abs=1e-9)
    for category, value in found.weights.items():
        assert 0.8 * WEIGHTS[category] - 2e-4 <= value <= 1.2 * WEIGHTS[category] + 2e-4


def test_what_is_chosen_for_gains_and_the_opposite_loses() -> None:
    found = proposed_weights([BETTER] * ENOUGH_CHOICES)
    assert found is not None
    assert found.weights[Category.QUALITY] > 1.1 * WEIGHTS[Category.QUALITY]
    assert found.weights[Category.SAFETY] == pytest.approx(0.8 * WEIGHTS[Category.SAFETY])
    assert (found.leanings[Category.QUALITY].better, found.leanings[Category.SAFETY].worse) == (20, 20)


def test_as_often_better_as_worse_moves_nothing() -> None:
    other = Choice(BETTER.others[0], (BETTER.chosen,))
    found = proposed_weights([BETTER, other] * 10)
    assert found is not None and found.weights == pytest.approx(WEIGHTS)


@pytest.mark.parametrize(
    "choices", [[], [BETTER] * (ENOUGH_CHOICES - 1), [BETTER] * (ENOUGH_CHOICES - 1) + [SAYS_NOTHING] * 9]
)
def test_nothing_before_enough_choices_tell_something(choices: list[Choice]) -> None:
    assert proposed_weights(choices) is None


def test_the_confidence_follows_what_was_taken() -> None:
    chance = random.Random(1)
    told = [chance.uniform(0.1, 0.95) for _ in range(400)]
    found = recalibrated([(one, chance.random() < one**2) for one in told])
    assert found is not None
    assert abs(found.of(0.8) - 0.64) < 0.1
    assert recalibrated([(0.8, True)] * (ENOUGH_JUDGED - 1)) is None


@pytest.mark.parametrize("taken", [True, False])
def test_a_correction_is_bounded_also_where_all_are_alike(taken: bool) -> None:
    found = recalibrated([(0.8, taken)] * 2000)
    assert found is not None
    assert abs(found.offset) <= Recalibration.MOST_OFFSET
    assert Recalibration.SLOPES[0] <= found.slope <= Recalibration.SLOPES[1]
    assert (found.of(0.8) > 0.8, found.of(0.8) < 0.8) == (taken, not taken)


@pytest.mark.parametrize(
    ("told", "taken", "of"), [(0.9, 20, 50), (0.95, 100, 1000), (0.95, 940, 1000), (0.1, 900, 1000)]
)
def test_a_correction_follows_choices_far_from_what_was_told(told: float, taken: int, of: int) -> None:
    found = recalibrated([(told, number < taken) for number in range(of)])
    assert found is not None
    # As near as the bounds of offset and slope let it come.
    assert abs(found.of(told) - taken / of) < max(0.02, 0.75 * abs(told - taken / of))


def test_certainty_that_was_never_right_is_corrected_as_far_as_it_may_be() -> None:
    found = recalibrated([(0.99, False)] * 1000)
    assert found is not None
    assert (found.slope, found.offset < -1.5) == (Recalibration.SLOPES[0], True)


@pytest.mark.parametrize("probability", [0.0, 0.3, 1.0])
def test_without_a_correction_nothing_changes(probability: float) -> None:
    assert Recalibration().of(probability) == probability


def test_weights_decide_in_the_last_stage_alone() -> None:
    tidy = Candidate("tidy", regressions=0, criteria={"complexity": 1.0, "security": 0.0})
    safe = Candidate("safe", regressions=0, criteria={"complexity": 0.0, "security": 1.0})
    broken = Candidate("broken", regressions=1, criteria={"complexity": 1.0, "security": 1.0})
    pool = Pool((tidy, safe, broken))
    assert [row.name for row in rank(pool).rows] == ["tidy", "safe", "broken"]
    other = {**WEIGHTS, Category.SAFETY: 0.3, Category.QUALITY: 0.05}
    assert [row.name for row in rank(Pool(pool.candidates, weights=other)).rows] == ["safe", "tidy", "broken"]


def test_the_shipped_confidence_is_told_beside_a_corrected_one() -> None:
    first = Candidate("a", regressions=0, visible_passed=3, visible_total=3)
    before = rank(Pool((first,))).confidence
    after = rank(Pool((first,), recalibration=Recalibration(1.0, 1.0))).confidence
    assert before.shipped is None
    assert after.shipped == before.calibrated < after.calibrated
