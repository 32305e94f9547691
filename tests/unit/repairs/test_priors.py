"""Costs by key, and the numbers that remember their keys when costs are counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.repairs.priors import prior, priors
from gateline_dev.autodebug.priors import Traced

NUMBERS = st.floats(-10, 10)


def test_a_cost_is_looked_up_by_package_and_pattern() -> None:
    assert prior("none.exit") == 0.45
    assert all(isinstance(cost, float) for cost in priors().values())


def test_an_unknown_key_is_no_cost() -> None:
    with pytest.raises(KeyError, match=r"none\.exti"):
        prior("none.exti")


@given(NUMBERS, NUMBERS, st.integers(0, 9))
def test_tracing_changes_no_cost(one: float, other: float, rank: int) -> None:
    a, b = Traced(one, frozenset({"a"})), Traced(other, frozenset({"b"}))
    assert (a + b * rank, a - b, 1.5 + a, 2 * -a) == (one + other * rank, one - other, 1.5 + one, 2 * -one)


def test_a_sum_tells_its_keys() -> None:
    base, each = Traced(0.45, frozenset({"base"})), Traced(0.1, frozenset({"each"}))
    assert (base + each * 2 + 1).keys == {"base", "each"}
    assert (base + each * 0).keys == {"base"}, "what adds nothing decides nothing"
    assert min(base, each).keys == {"each"}
