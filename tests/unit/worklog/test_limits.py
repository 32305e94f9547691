"""What is kept, announced, handed over and left out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gateline.worklog.detection import left_work, looks, notice
from gateline.worklog.retention import retention
from gateline.worklog.summary import last_good
from gateline.worklog.task import Event, EventKind, Task, TaskOutcome, Tier
from gateline.worklog.time_limits import REQUIRED, Operation, PhaseTime, skipped
from gateline.worklog.tokens import BOUNDS, DISTRIBUTION, MEAN_LIMIT, Usage, budget, weighted_mean, within

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


def task(
    name: str, hours: float = 1, outcome: TaskOutcome = TaskOutcome.IN_PROGRESS, used: float | None = None
) -> Task:
    """A task that was started, and ended if it has, so many hours ago."""
    began = NOW - timedelta(hours=hours)
    ended = None if outcome is TaskOutcome.IN_PROGRESS else began
    accessed = None if used is None else NOW - timedelta(hours=used)
    return Task(name, f"Task {name}", Tier.STANDARD, "", began, "", outcome, ended, accessed)


# Retention


def test_work_in_progress_is_abandoned_after_a_day() -> None:
    assert retention([task("young", 24), task("old", 24.01)], NOW).abandon == ("old",)


def test_summaries_are_kept_for_thirty_days() -> None:
    done = TaskOutcome.COMPLETED
    found = retention([task("kept", 30 * 24, done), task("gone", 30 * 24 + 1, done)], NOW)
    assert (found.forget, found.abandon) == (("gone",), ())


def test_of_fifty_five_the_five_least_used_are_evicted() -> None:
    tasks = [task(f"t{n}", 2, used=1 + n / 100) for n in range(55)]
    found = retention(tasks, NOW)
    assert found.evict == ("t54", "t53", "t52", "t51", "t50")
    assert found.warning.startswith("55 tasks are in progress")


@pytest.mark.parametrize(("count", "warns"), [(39, False), (40, True), (50, True)])
def test_a_warning_comes_before_anything_is_evicted(count: int, warns: bool) -> None:
    found = retention([task(f"t{n}") for n in range(count)], NOW)
    assert (bool(found.warning), found.evict) == (warns, ())


# Detection


def test_the_newest_work_that_was_left_is_announced_once() -> None:
    tasks = [task("done", 1, TaskOutcome.COMPLETED), task("left", 2, TaskOutcome.ABANDONED), task("older", 3)]
    found = left_work(tasks, told=())
    assert found is not None
    assert found.id == "left"
    assert left_work(tasks, told=("left",)) is None


def test_the_work_of_now_is_not_announced() -> None:
    found = left_work([task("now"), task("before")], told=(), current="now")
    assert found is not None
    assert found.id == "before"


@pytest.mark.parametrize(
    ("tier", "expected"), [("STRICT", True), ("STANDARD", True), ("LIGHT", False), ("EXEMPT", False)]
)
def test_which_tiers_look(tier: str, expected: bool) -> None:
    assert looks(Tier(tier)) is expected


@pytest.mark.parametrize(
    ("savepoint", "command"),
    [
        ("20260331T1000-ab", "gateline restore 20260331T1000-ab --write"),
        ("", "nothing, it has no savepoint"),
    ],
)
def test_what_is_announced(savepoint: str, command: str) -> None:
    left = replace(task("s-17", 2, TaskOutcome.ABANDONED), savepoint=savepoint)
    assert notice(left) == (
        "ℹ️ Previous work detected: Task s-17 (abandoned)\n"
        "Session: s-17 | Started: 2026-03-31T10:00:00Z\n"
        f"To restore: {command}"
    )


# Tokens


@pytest.mark.parametrize(
    ("tier", "batching", "used", "usage", "left"),
    [
        ("STRICT", True, 599, "within", 151),
        ("STRICT", True, 600, "near", 150),
        ("STRICT", True, 751, "over", 0),
        ("STRICT", False, 751, "within", 449),
        ("STANDARD", True, 300, "near", 0),
        ("LIGHT", False, 101, "over", 0),
        ("EXEMPT", True, 0, "within", 0),
        ("EXEMPT", False, 1, "over", 0),
    ],
)
def test_how_a_count_stands(tier: str, batching: bool, used: int, usage: str, left: int) -> None:
    found = budget(Tier(tier), used, batching=batching)
    assert (found.usage, found.left) == (Usage(usage), left)


def test_tasks_at_their_bounds_keep_to_the_mean() -> None:
    assert sum(DISTRIBUTION.values()) == pytest.approx(1)
    assert weighted_mean({tier: bounds[0] for tier, bounds in BOUNDS.items()}) <= MEAN_LIMIT


@pytest.mark.parametrize(
    ("tier", "lines", "used", "kept", "warning"),
    [
        ("STANDARD", 20, 0, 20, ""),
        ("STANDARD", 24, 0, 24, "240 of the 300 tokens that STANDARD allows"),
        ("STANDARD", 40, 0, 30, "10 of 40 lines were left out: the limit of STANDARD is 300 tokens"),
        ("STANDARD", 5, 280, 2, "3 of 5 lines were left out: the limit of STANDARD is 300 tokens"),
        ("STRICT", 40, 0, 40, ""),
        ("EXEMPT", 2, 0, 0, "2 of 2 lines were left out: the limit of EXEMPT is 0 tokens"),
    ],
)
def test_nothing_is_handed_past_the_bound_without_saying_so(
    tier: str, lines: int, used: int, kept: int, warning: str
) -> None:
    found = within(("x" * 39 + "\n") * lines, Tier(tier), used)
    assert (found.text.count("\n"), found.tokens, found.warning) == (kept, 10 * kept, warning)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [((90, 95, 94, 70), "s2"), ((90.0, None, 60), "s0"), ((None,), ""), ((), ""), ((50, 80), "s1")],
)
def test_the_last_good_savepoint(scores: tuple[float | None, ...], expected: str) -> None:
    taken = [
        Event(NOW, EventKind.SAVEPOINT, {"id": f"s{number}", "score": score})
        for number, score in enumerate(scores)
    ]
    assert last_good(taken) == expected


# Time


@pytest.mark.parametrize("operation", Operation)
def test_what_is_optional_is_skipped_after_a_full_phase(operation: Operation) -> None:
    assert skipped(operation, PhaseTime(8.0, 10.0)) == ""
    reason = skipped(operation, PhaseTime(8.1, 10.0))
    assert reason == ("" if operation in REQUIRED else "the last phase took 81% of its time limit")
    assert skipped(operation, PhaseTime()) == ""
    assert skipped(operation, PhaseTime(8.1, 10.0), 0.9) == ""
