"""Quantiles, and what is kept of many measurements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline_dev.bench.results import Result, Samples, quantile
from support.python_texts import QUICK

NUMBERS = st.lists(st.floats(0, 100), min_size=1, max_size=30)
SHARES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ((), 0.5, None),
        ((7,), 0, 7),
        ((7,), 1, 7),
        ((3, 1, 2), 0.5, 2),
        ((4, 3, 2, 1), 0.5, 2),
        ((4, 3, 2, 1), 0.51, 3),
        (range(1, 21), 0.95, 19),
        (range(1, 11), 0.95, 10),
        (range(1, 101), 0.5, 50),
        ((3, 1, 2), 0, 1),
        ((3, 1, 2), 1, 3),
    ],
)
def test_quantiles_are_measured_values(values: tuple[float, ...], share: float, expected: float) -> None:
    assert quantile(values, share) == expected


@QUICK
@given(NUMBERS, SHARES, SHARES)
def test_a_quantile_divides_the_values_and_rises_with_its_share(
    values: list[float], one: float, other: float
) -> None:
    low, high = (quantile(values, share) for share in sorted((one, other)))
    assert low is not None and high is not None
    assert low in values and low <= high
    assert sum(value <= high for value in values) >= max(one, other) * len(values) - 1e-9


def test_a_try_without_an_answer_is_missed_and_not_measured() -> None:
    samples = Samples()
    for seconds in (0.002, None, 0.004):
        samples.add(seconds)
    assert (samples.misses, samples.milliseconds(0.5), samples.milliseconds(1)) == (1, 2, 4)
    assert Samples().milliseconds(0.5) is None


@pytest.mark.parametrize(
    ("tries", "hopeless"), [((None, None), True), ((None,), False), ((None, 0.1, None, None), False)]
)
def test_trying_on_is_hopeless_when_nothing_ever_came(
    tries: tuple[float | None, ...], hopeless: bool
) -> None:
    samples = Samples()
    for seconds in tries:
        samples.add(seconds)
    assert samples.hopeless(2) is hopeless


def test_of_several_rounds_the_largest_number_counts() -> None:
    result = Result("gateline", "httpx")
    for value in (-1.0, -3.0, -2.0):
        result.note("drift MB", value)
    assert result.numbers == {"drift MB": -1}


def test_what_was_not_measured_is_none() -> None:
    result = Result("gateline", "httpx")
    assert (result.p50("syntax"), result.p95("syntax"), result.kinds) == (None, None, {})
    result.samples("syntax").add(0.01)
    assert (result.p50("syntax"), result.p95("syntax")) == (10, 10)
    assert result.to_json()["kinds"] == {
        "syntax": {"seconds": [0.01], "misses": 0, "relapses": 0, "leftovers": 0}
    }
