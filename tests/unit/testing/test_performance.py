"""How long tests take against the base: what is said above the noise, and what is not said inside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Dimension, State, Weight
from gateline.model.grade import Grade, grade_of
from gateline.testing.performance import FEWEST, MOST, Round, Sample, interval, performance
from gateline.testing.performance_report import reports_of
from gateline.testing.result import Item

MEGABYTE = 1 << 20
times = st.floats(0.001, 10.0)
noise = st.floats(0.5, 2.0)


def rounds(
    before: Sequence[float], now: Sequence[float], memory: tuple[int, int] | None = None
) -> list[Round]:
    """Rounds of one test; `memory` in megabytes."""
    old, new = memory or (None, None)
    return [
        Round(
            {"t": Sample(b, old * MEGABYTE if old is not None else None)},
            {"t": Sample(n, new * MEGABYTE if new is not None else None)},
        )
        for b, n in zip(before, now, strict=True)
    ]


class TestTheInterval:
    @pytest.mark.parametrize(
        ("number", "outside"), [(6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6)]
    )
    def test_it_leaves_out_what_the_sign_test_allows(self, number: int, outside: int) -> None:
        found = interval([(1.0, float(n)) for n in range(1, number + 1)])
        assert (found.low, found.high) == (outside, number + 1 - outside)

    @given(st.integers(FEWEST, 40))
    def test_it_holds_the_median_with_95_per_cent(self, number: int) -> None:
        found = interval([(1.0, float(n)) for n in range(1, number + 1)])
        outside = round(found.low)
        missed = 2 * sum(comb(number, n) for n in range(outside)) / 2**number
        wider = 2 * sum(comb(number, n) for n in range(outside + 1)) / 2**number
        assert missed <= 0.05 < wider

    @given(st.lists(st.tuples(times, times), min_size=FEWEST, max_size=20), st.floats(0.1, 10.0))
    def test_a_faster_machine_changes_nothing(self, pairs: list[tuple[float, float]], speed: float) -> None:
        found, other = interval(pairs), interval([(b * speed, n * speed) for b, n in pairs])
        assert (other.low, other.high) == pytest.approx((found.low, found.high))

    @given(st.lists(st.tuples(times, times), min_size=FEWEST, max_size=20))
    def test_who_is_compared_with_whom_turns_it_around(self, pairs: list[tuple[float, float]]) -> None:
        found, other = interval(pairs), interval([(n, b) for b, n in pairs])
        assert (other.low, other.high) == pytest.approx((1 / found.high, 1 / found.low))

    def test_too_few_rounds_say_nothing(self) -> None:
        with pytest.raises(ValueError, match="6 pairs are needed, there are 5"):
            interval([(1.0, 1.0)] * 5)


class TestTheGrade:
    @pytest.mark.parametrize(
        ("ratio", "grade"),
        [
            (0.1, "A"),
            (1.0, "A"),
            (1.049, "A"),
            (1.05, "B"),
            (1.1, "C"),
            (1.25, "D"),
            (1.5, "E"),
            (2.0, "F"),
            (9, "F"),
        ],
    )
    def test_it_follows_from_the_least_ratio(self, ratio: float, grade: str) -> None:
        assert grade_of(ratio) == grade

    def test_it_is_worth_less_the_worse_it_is(self) -> None:
        assert all(better.points > worse.points for better, worse in pairwise(Grade))

    @pytest.mark.parametrize(
        ("before", "now", "memory", "grade"),
        [
            ([1.0] * 6, [1.0] * 6, (10, 10), Grade.A),
            ([1.0] * 6, [3.0] * 6, (10, 10), Grade.F),
            ([1.0] * 6, [0.5] * 6, (10, 10), Grade.A),
            # Slower by a third, but a round was not: nothing is certain.
            ([1.0] * 6, [1.3, 1.4, 1.3, 1.2, 1.4, 0.9], (10, 10), Grade.A),
            # With nine rounds one may be out of line.
            ([1.0] * 9, [1.3, 1.4, 1.3, 1.3, 1.4, 1.3, 1.3, 1.3, 0.9], (10, 10), Grade.D),
            # Memory is judged by the same rule; the worse one counts.
            ([1.0] * 6, [1.0] * 6, (100, 160), Grade.E),
            ([1.0] * 6, [1.3] * 6, (100, 100), Grade.D),
            ([1.0] * 6, [1.3] * 6, None, Grade.D),
            # Less than a millisecond or a megabyte is not told apart.
            ([0.00001] * 6, [0.00004] * 6, (0, 0), Grade.A),
            # Noise in which both "as before" and "twice as long" have room.
            ([1.0, 1.0, 3.0, 1.0, 0.5, 2.0], [2.0, 1.0, 1.0, 3.0, 1.5, 1.0], (10, 10), None),
        ],
    )
    def test_examples(
        self, before: list[float], now: list[float], memory: tuple[int, int] | None, grade: Grade | None
    ) -> None:
        assert performance(rounds(before, now, memory)).grade is grade

    @given(st.lists(noise, min_size=2 * FEWEST, max_size=2 * FEWEST))
    def test_no_verdict_inside_the_noise(self, factors: list[float]) -> None:
        """Whatever the noise, a base that is compared with itself both ways is not slower both ways."""
        before, now = factors[::2], factors[1::2]
        there, back = performance(rounds(before, now)), performance(rounds(now, before))
        assert Grade.A in (there.grade, back.grade) or None in (there.grade, back.grade)

    @given(st.lists(st.floats(0.99, 1.01), min_size=2 * FEWEST, max_size=2 * MOST), st.floats(0.2, 4.0))
    def test_what_is_larger_than_the_noise_is_seen(self, factors: list[float], ratio: float) -> None:
        half = len(factors) // 2
        found = performance(rounds(factors[:half], [ratio * f for f in factors[half : 2 * half]]))
        assert found.time.low <= ratio * 1.0205 and found.time.high >= ratio * 0.9795
        assert ratio < 2.1 or found.grade is Grade.F
        assert ratio > 1.02 or found.grade is Grade.A


class TestWhatIsTold:
    ITEM = Item("t", "tests/test_t.py", 4, "TestT.test_it")

    def test_a_test_that_took_a_quarter_more_each_time_is_named(self) -> None:
        found = performance(rounds([0.01] * 6, [0.02] * 6, (10, 11)))
        now, before = reports_of("a.py", found, {"t": self.ITEM})
        (finding,) = now["tests/test_t.py"].findings
        assert (finding.code, finding.weight, finding.span.start.line) == ("GTL710", Weight.ADVICE, 4)
        assert (
            finding.message
            == "`TestT.test_it` takes 1.9 times as long as at the base: 20 ms, at the base 10 ms"
        )
        assert {m.name: round(m.value, 3) for m in now["a.py"].measures} == {
            "latency": 20.0,
            "peak_memory": round(11 * MEGABYTE / 1e6, 3),
            "grade_points": Grade.E.points,
        }
        assert {m.name: round(m.value, 3) for m in before["a.py"].measures} == {
            "latency": 10.0,
            "peak_memory": round(10 * MEGABYTE / 1e6, 3),
        }

    def test_one_round_as_before_is_enough_to_name_none(self) -> None:
        found = performance(rounds([0.01] * 6, [0.02] * 5 + [0.01]))
        assert found.slower == ()

    def test_too_great_a_noise_is_said_and_gives_no_number(self) -> None:
        found = performance(rounds([1.0, 1.0, 3.0, 1.0], [2.0, 1.0, 1.0, 3.0]) * 2)
        now, before = reports_of("a.py", found, {"t": self.ITEM})
        report = now["a.py"]
        assert (report.state, report.dimension, report.measures) == (State.NO_DATA, Dimension.PERFORMANCE, ())
        assert report.reason == "the noise is too great for a grade"
        assert before == {}
