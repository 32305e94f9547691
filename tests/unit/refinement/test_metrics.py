"""Tasks in numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gateline.refinement.metrics import (
    Baseline,
    Context,
    TaskMetrics,
    completion,
    derived,
    factor,
    of_loop,
    of_task,
    reached,
)
from gateline.refinement.state import Failing, Kind, LoopState, Round, Step, Verdict, Way
from gateline.worklog.task import Event, EventKind

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
A, B = Failing("t.py::a", "TypeError"), Failing("t.py::b", "ValueError")
AUTODEBUG = Way("autodebug")


def verdict(*failing: Failing, outcome: str = "require-iteration") -> Verdict:
    return Verdict(outcome, 100.0, passed=10 - len(failing), failing=failing)


def loop(*rounds: Verdict, kind: Kind = Kind.ACCEPT, start: Verdict | None = None) -> LoopState:
    made = tuple(
        Round(n, AUTODEBUG, f"t{n - 1}", f"t{n}", found, seconds=2.0) for n, found in enumerate(rounds, 1)
    )
    ended = Step(kind, "because", tree=f"t{len(rounds)}")
    return LoopState(
        "l1", "goal", (AUTODEBUG,), "c", "t0", start=start or verdict(A, B), rounds=made, ended=ended
    )


def test_a_loop_in_numbers() -> None:
    found = of_loop(loop(verdict(B), verdict(outcome="accept")))
    assert (found.completed, found.rounds, found.seconds) == (True, 2, 4.0)
    assert (found.errors_met, found.errors_resolved, found.debug_iterations) == (2, 2, 2)
    assert (found.first_time, found.escalated, found.early_stop) == (False, False, "")
    assert found.scores[0] < found.scores[1] == 1.0


def test_a_loop_that_went_back_has_resolved_what_its_best_content_has() -> None:
    found = of_loop(loop(verdict(B), verdict(A, B), kind=Kind.NO_PROGRESS))
    assert (found.errors_met, found.errors_resolved) == (2, 1)
    assert (found.completed, found.escalated, found.early_stop) == (False, True, "because")


def test_a_loop_that_goes_on_is_not_completed_and_counts_in_nothing() -> None:
    found = of_loop(replace(loop(verdict(B)), ended=None))
    assert (found.outcome, found.completed) == ("in progress", False)
    assert derived([found]).tasks == 0


def event(kind: EventKind, **detail: object) -> Event:
    return Event(NOW, kind, detail)


def test_a_task_in_numbers() -> None:
    found = of_task(
        "t1",
        NOW,
        NOW + timedelta(minutes=5),
        "completed",
        [
            event(EventKind.HANDED, operation="context", tokens=9, milliseconds=40.0, paths=["a.py"]),
            event(EventKind.HANDED, operation="context", tokens=9, milliseconds=80.0, paths=["b.py"]),
            event(EventKind.HANDED, operation="page", tokens=9),
            event(EventKind.SAVED, path="a.py"),
            event(EventKind.TESTS, passed=1, failed=2, failing=["a", "b"]),
            event(EventKind.CHECKPOINT, level="final", outcome="require-iteration", score=50.0),
            event(EventKind.TESTS, passed=3, failed=1, failing=["b"]),
            event(EventKind.CHECKPOINT, level="final", outcome="accept", score=90),
        ],
    )
    assert (found.completed, found.seconds, found.rounds, found.scores) == (True, 300.0, 2, (0.5, 0.9))
    assert (found.errors_met, found.errors_resolved, found.first_time) == (2, 1, False)
    assert found.context == Context(2, 60.0, 0.5)


def test_context_is_relevant_to_files_that_were_changed_and_to_nothing_before_one_was() -> None:
    asked = event(EventKind.HANDED, operation="context", tokens=9, milliseconds=40.0, paths=["a.py"])
    assert of_task("t1", NOW, None, "completed", [asked]).context == Context(1, 40.0, None)


def test_the_mean_of_context_is_over_answers_and_not_over_tasks() -> None:
    quick = TaskMetrics("a", "task", "", "completed", completed=True, context=Context(3, 10.0, 1.0))
    slow = replace(quick, id="b", context=Context(1, 50.0, 0.5))
    found = derived([quick, slow, replace(quick, id="c", context=Context())])
    assert (found.context_milliseconds, found.relevance) == (20.0, 0.75)


def test_a_task_that_nobody_judged_is_not_completed() -> None:
    found = of_task("t1", NOW, None, "completed", [])
    assert (found.completed, found.first_time, found.seconds) == (False, None, None)


def test_what_nothing_was_recorded_of_has_no_figure() -> None:
    found = derived([])
    assert found.tasks == 0
    assert (found.completion, found.rounds, found.debug_success, found.first_time, found.seconds) == (
        None,
    ) * 5
    assert factor(found, Baseline("x", 1, 2)) is None


def test_what_follows_from_many() -> None:
    good, bad = of_loop(loop(verdict(outcome="accept"))), of_loop(loop(verdict(B), kind=Kind.BOUND))
    found = derived([good, bad, replace(good, seconds=8.0)])
    assert found.completion == pytest.approx(2 / 3)
    assert found.debug_success == pytest.approx(5 / 6)
    assert found.first_time == pytest.approx(2 / 3)
    assert (found.rounds, found.seconds, found.escalated) == (1.0, 2.0, pytest.approx(1 / 3))


@pytest.mark.parametrize(
    ("baseline", "expected"), [(None, None), (Baseline("none", 0, 9), None), (Baseline("one", 1, 4), 4.0)]
)
def test_the_factor_is_against_a_baseline_that_completed_something(
    baseline: Baseline | None, expected: float | None
) -> None:
    assert factor(derived([TaskMetrics("a", "loop", "", "accept", completed=True)]), baseline) == expected


def test_an_aim_is_reached_or_not_or_nobody_knows() -> None:
    assert reached("rounds", 4.9) is True
    assert reached("rounds", 5.0) is False
    assert reached("factor", 3.5) is True
    assert reached("rounds", None) is None
    assert reached("seconds", 1.0) is None


def test_completion_over_time_is_that_of_the_newest_ones_together() -> None:
    begun = of_loop(loop(verdict(), kind=Kind.ACCEPT))
    tasks = [replace(begun, id=str(n), completed=done) for n, done in enumerate((True, False, False, True))]
    assert completion(tasks, 2) == [1.0, 0.5, 0.0, 0.5]
    assert completion([]) == []
