"""What runs say of the supervision."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gateline_dev.supervision.__main__ import main, report
from gateline_dev.supervision.figures import (
    CONTROL,
    SUPERVISED,
    UNADJUSTED,
    Figure,
    Run,
    Seen,
    figures,
    paired,
    pearson,
    warned,
)

GOOD, BAD = Seen(0.8, "continue"), Seen(0.3, "adjust-strategy")
SOLVED = Run("t1", "able", CONTROL, 3, "accept", True, True, 1.0, {"early": GOOD, "middle": GOOD})
FAILED = Run("t1", "stalling", CONTROL, 6, "bound", False, False, 0.4, {"early": BAD, "middle": BAD})
STOPPED = replace(FAILED, mode=SUPERVISED, rounds=2, ended="no-progress", overhead=120.0)


def figure(runs: list[Run], name: str) -> Figure:
    return next(one for one in figures(runs) if one.name == name)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0.1, 1.0), (0.2, 2.0), (0.3, 3.0)], 1.0),
        ([(0.1, 3.0), (0.2, 2.0), (0.3, 1.0)], -1.0),
        ([(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)], 0.5),
        ([(0.1, 1.0), (0.2, 1.0), (0.3, 1.0)], None),
        ([(0.1, 1.0), (0.2, 2.0)], None),
    ],
)
def test_the_correlation(rows: list[tuple[float, float]], expected: float | None) -> None:
    assert pearson(rows) == (None if expected is None else pytest.approx(expected))


def test_warnings_and_failures() -> None:
    found = warned([(True, True), (True, True), (True, False), (False, True), (False, False)])
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.accuracy == pytest.approx(3 / 5)
    assert warned([]).accuracy is None


def test_a_warning_is_a_decision_or_a_negative_trajectory() -> None:
    assert BAD.warns
    assert Seen(0.9, "continue", "negative trajectory").warns
    assert not Seen(0.9, "continue", "slight degradation").warns


def test_the_gates_warnings_are_held_against_what_came_of_the_agent_alone() -> None:
    runs = [SOLVED, FAILED]
    assert figure(runs, "gate's warnings, early: accuracy").value == 1.0
    quiet = replace(FAILED, seen={"early": GOOD})
    assert figure([SOLVED, quiet], "gate's warnings, early or middle: recall").value == 0.0
    ended = replace(SOLVED, seen={"early": Seen(0.5, "fast-fail")})
    assert figure([ended, FAILED], "false positives of fast-fail").value == 1.0


def test_rounds_are_saved_where_the_agent_alone_fails() -> None:
    runs = [SOLVED, replace(SOLVED, mode=SUPERVISED), FAILED, STOPPED]
    saved = figure(runs, "rounds saved on failing tasks")
    assert (saved.value, saved.reached, saved.of) == (pytest.approx(2 / 3), True, "2 in place of 6 rounds")
    assert figure(runs, "loop's early ends: accuracy").value == 1.0


def test_the_gain_is_that_of_degrading_agents_alone() -> None:
    worse = Run("t1", "degrading", UNADJUSTED, 6, "bound", False, False, 0.4, {})
    runs = [worse, replace(worse, mode=SUPERVISED, quality=0.6), SOLVED, replace(SOLVED, mode=SUPERVISED)]
    found = figure(runs, "gain by adjustment, degrading agents")
    assert (found.value, found.reached) == (pytest.approx(0.5), True)


def test_overhead_is_the_median_and_under_its_aim() -> None:
    found = figure(
        [STOPPED, replace(STOPPED, overhead=400.0), FAILED], "checkpoints of a task, beyond types and tests"
    )
    assert (found.value, found.reached, found.of) == (260.0, True, "median of 2 runs, worst 400 ms")


def test_a_run_is_paired_with_the_same_agent_over_the_same_task() -> None:
    other = replace(STOPPED, task="t2")
    assert paired([FAILED, STOPPED, other], CONTROL, SUPERVISED) == [(FAILED, STOPPED)]


def test_what_no_run_speaks_of_is_no_data_in_the_report() -> None:
    assert {one.value for one in figures([])} == {None}
    told = report([SOLVED, FAILED, STOPPED])
    assert "| rounds saved on failing tasks | 0.667 | ≥ 0.3 | reached | 2 in place of 6 rounds |" in told
    assert "| gain by adjustment, degrading agents | no data | ≥ 0.25 |  | 0 pairs" in told
    assert "| stalling | supervised | 1 | 0 | 0 | 0.40 | 2.0 |" in told


def test_without_a_corpus_nothing_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--corpus", str(tmp_path), "--results", str(tmp_path / "none.jsonl")]) == 0
    told = capsys.readouterr()
    assert "not run: there is no corpus of single faults beside" in told.err
    assert not told.out
