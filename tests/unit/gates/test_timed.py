"""What timed tests say in the breakdown: a grade with its numbers, which has no weight."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import case, changed

from gateline.gates.evaluate import judge
from gateline.model import Dimension, Level, Measure, Report, State
from gateline.model.evaluation import Part, TestRun
from gateline.model.grade import Grade


def timed(latency: float, memory: float | None, points: float | None = None) -> Report:
    measures = [Measure("latency", latency)]
    measures += [Measure("peak_memory", memory)] if memory is not None else []
    measures += [Measure("grade_points", points)] if points is not None else []
    return Report("performance", Dimension.PERFORMANCE, measures=tuple(measures))


def part(level: Level, *reports: Report, before: Report | None = None) -> Part:
    made = case(changed("x = 1\n", "x = 2\n"), level=level)
    made = replace(made, reports={"a.py": reports}, base_reports={"a.py": (before,) if before else ()})
    return next(p for p in judge(made).score.parts if p.dimension is Dimension.PERFORMANCE)


@pytest.mark.parametrize("grade", Grade)
def test_the_grade_is_the_value_and_the_detail_has_no_times(grade: Grade) -> None:
    found = part(Level.FINAL, timed(12.5, 20.0, grade.points), before=timed(10.0, 18.0))
    assert (found.state, found.value, found.before) == (State.MEASURED, grade.points, 100.0)
    assert found.detail == f"grade {grade}: {grade.meaning}"
    assert (found.weight, found.points) == (0.0, 0.0)


def test_memory_may_not_be_known() -> None:
    found = part(Level.FINAL, timed(12.5, None, 100.0), before=timed(10.0, None))
    assert found.detail == "grade A: no slower than the base"


def test_it_is_due_at_final_only() -> None:
    assert part(Level.MIDDLE, timed(12.5, None, 0.0)).state is State.NOT_DUE


@pytest.mark.parametrize("state", [State.NO_DATA, State.NOTHING_TO_JUDGE, State.FAILED])
def test_without_a_number_there_is_none(state: State) -> None:
    found = part(Level.FINAL, Report("performance", Dimension.PERFORMANCE, state, "too noisy"))
    assert (found.state, found.value, found.reason) == (state, None, "too noisy")


@pytest.mark.parametrize(
    ("tests", "why"),
    [
        (TestRun("none", state=State.NO_DATA, reason="no pytest"), "tests did not run"),
        (TestRun("none", chosen=True), "tests did not run"),
        (TestRun("all", 2, 2), "not yet measured"),
        (TestRun("none", state=State.NOTHING_TO_JUDGE, reason="there are no tests"), "there are no tests"),
    ],
)
def test_where_no_test_ran_nothing_will_ever_be_timed(tests: TestRun, why: str) -> None:
    made = replace(case(changed("x = 1\n", "x = 2\n")), tests=tests)
    found = next(p for p in judge(made).score.parts if p.dimension is Dimension.PERFORMANCE)
    assert (found.state, found.reason) == (State.NO_DATA, why)
