"""How long tests take beside the base: what is suspected, what is left after rounds, and what is said."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Weight
from gateline.model.grade import Grade
from gateline.testing.performance import (
    MOST,
    Round,
    Sample,
    Samples,
    performance,
    still_slower,
    suspects,
)
from gateline.testing.performance_report import reports_of
from gateline.testing.result import Item

MEGABYTE = 1 << 20


def samples(*seconds: float, memory: int | None = None) -> Samples:
    """Of the tests 0, 1, 2 …; `memory` in mebibytes."""
    used = None if memory is None else memory * MEGABYTE
    return {str(number): Sample(took, used) for number, took in enumerate(seconds)}


class TestTheScreen:
    @pytest.mark.parametrize(
        ("before", "now", "is_suspected"),
        [
            (0.100, 0.100, False),
            (0.100, 0.120, False),
            (0.100, 0.130, True),
            (0.100, 0.050, False),
            # Less than ten milliseconds are not told from the noise of one run.
            (0.001, 0.009, False),
            (0.001, 0.015, True),
        ],
    )
    def test_a_quarter_and_ten_milliseconds_more_are_suspect(
        self, before: float, now: float, is_suspected: bool
    ) -> None:
        assert bool(suspects(samples(before), samples(now), ["0"])) is is_suspected

    def test_many_that_are_a_little_slower_are_suspected_together(self) -> None:
        before, now = samples(*[0.002] * 30), samples(*[0.005] * 30)
        assert len(suspects(before, now, sorted(before))) == MOST

    def test_more_memory_is_suspect(self) -> None:
        assert suspects(samples(0.1, memory=50), samples(0.1, memory=70), ["0"]) == ("0",)
        assert suspects(samples(0.1, memory=50), samples(0.1, memory=55), ["0"]) == ()
        assert suspects(samples(0.1, memory=50), samples(0.1), ["0"]) == ()

    def test_a_slower_machine_is_not(self) -> None:
        before, now = samples(*[0.1] * 20), samples(*[0.2] * 19, 0.5)
        assert suspects(before, now, ["0", "19"]) == ("19",)

    def test_the_worst_come_first_and_others_are_left_out(self) -> None:
        before, now = samples(0.1, 0.1, 0.1), samples(0.3, 0.5, 0.9)
        assert suspects(before, now, ["0", "1", "unknown"]) == ("1", "0")


class TestRounds:
    def test_one_round_as_before_is_enough(self) -> None:
        found = Round(samples(0.1, 0.1), samples(0.2, 0.1))
        assert still_slower(found, ["0", "1"]) == ("0",)

    def test_memory_keeps_a_test_suspected(self) -> None:
        found = Round(samples(0.1, memory=40), samples(0.1, memory=80))
        assert still_slower(found, ["0"]) == ("0",)

    @given(st.lists(st.tuples(st.floats(0.5, 2), st.floats(0.5, 2)), min_size=6, max_size=6))
    def test_no_noise_makes_both_sides_slower(self, factors: list[tuple[float, float]]) -> None:
        rounds = [Round(samples(before), samples(now)) for before, now in factors]
        back = [Round(one.now, one.before) for one in rounds]
        there = all(still_slower(one, ["0"]) for one in rounds)
        assert not (there and all(still_slower(one, ["0"]) for one in back))


class TestTheGrade:
    def test_it_is_worth_less_the_worse_it_is(self) -> None:
        assert all(better.points > worse.points for better, worse in pairwise(Grade))

    @pytest.mark.parametrize(
        ("now", "grade"),
        [(0.1, Grade.A), (0.11, Grade.A), (0.14, Grade.D), (0.19, Grade.D), (0.21, Grade.F), (9.0, Grade.F)],
    )
    def test_it_follows_from_the_least_ratio(self, now: float, grade: Grade) -> None:
        rounds = [Round(samples(0.1), samples(now + more)) for more in (0.2, 0.0, 0.1)]
        assert performance(samples(0.1), samples(now), ["0"], rounds).grade is grade

    def test_one_slow_test_among_many_weighs_little(self) -> None:
        before, now = samples(*[0.1] * 20), samples(0.3, *[0.1] * 19)
        rounds = [Round(samples(0.1), samples(0.3))] * 6
        found = performance(before, now, sorted(before), rounds)
        assert (found.grade, [(s.test, s.times) for s in found.slower]) == (Grade.B, [("0", 2.0)])

    def test_memory_counts_and_names_no_test(self) -> None:
        rounds = [Round(samples(0.1, memory=40), samples(0.1, memory=100))] * 6
        found = performance(samples(0.1, memory=40), samples(0.1, memory=100), ["0"], rounds)
        assert (found.grade, found.slower) == (Grade.F, ())

    def test_without_rounds_nothing_is_slower(self) -> None:
        found = performance(samples(0.1, 0.3, memory=10), samples(0.2, 0.3, memory=12), ["0", "1"])
        assert (found.grade, found.tests, found.slower) == (Grade.A, 2, ())
        assert (found.latency_before, found.latency) == (pytest.approx(0.2), pytest.approx(0.25))
        assert (found.peak_before, found.peak) == (10 * MEGABYTE, 12 * MEGABYTE)

    def test_no_test_on_both_sides_is_a_mistake_of_the_caller(self) -> None:
        with pytest.raises(ValueError, match="no test was timed both at the base and in the change"):
            performance(samples(0.1), {}, ["0"])


class TestWhatIsTold:
    @pytest.mark.parametrize(
        ("now", "said"),
        [
            (0.13, "at least 1.25"),
            (0.15, "at least 1.25"),
            (0.25, "at least 2"),
            (1.9, "at least 5"),
            (3.0, "at least 20"),
        ],
    )
    def test_it_has_no_times_in_it(self, now: float, said: str) -> None:
        rounds = [Round(samples(0.1), samples(now))] * 6
        found = performance(samples(0.1), samples(now), ["0"], rounds)
        item = Item("0", "tests/test_t.py", 4, "TestT.test_it")
        (finding,) = reports_of("a.py", found, {"0": item})[0]["tests/test_t.py"].findings
        assert (finding.code, finding.weight, finding.span.start.line) == ("GTL710", Weight.ADVICE, 4)
        assert finding.message == f"`TestT.test_it` takes {said} times as long as at the base"

    def test_the_numbers_are_those_of_the_ordinary_runs(self) -> None:
        found = performance(samples(0.01, memory=10), samples(0.02, memory=11), ["0"])
        now, before = reports_of("a.py", found, {})
        assert {m.name: round(m.value, 3) for m in now["a.py"].measures} == {
            "latency": 20.0,
            "peak_memory": round(11 * MEGABYTE / 1e6, 3),
            "grade_points": Grade.A.points,
        }
        assert {m.name: round(m.value, 3) for m in before["a.py"].measures} == {
            "latency": 10.0,
            "peak_memory": round(10 * MEGABYTE / 1e6, 3),
        }
