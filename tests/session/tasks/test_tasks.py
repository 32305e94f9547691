"""Tasks from their start to their end, with a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.refinement.metrics import Context
from gateline.session.errors import UsageError
from gateline.session.tasks.detecting import announced
from gateline.session.tasks.metrics import Metrics
from gateline.session.tasks.tasks import Tasks, tasks_of
from gateline.settings import WorklogSettings
from gateline.store.audit import AuditTrail
from gateline.store.database import Database
from gateline.worklog.retention import Limits
from gateline.worklog.task import EventKind, Phase, TaskOutcome, Tier
from gateline.worklog.tier import InferredTier

SETTINGS = WorklogSettings()
TODOS = {"parser": "done", "rounding": "open"}


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tasks(tmp_path: Path, clock: Clock) -> Iterator[Tasks]:
    database = Database(tmp_path / "worklog.sqlite3")
    yield Tasks(database, clock)
    database.close()


def tier(name: str) -> InferredTier:
    return InferredTier(Tier(name), "said")


@pytest.mark.parametrize(("name", "count"), [("STRICT", 3), ("STANDARD", 1), ("LIGHT", 0), ("EXEMPT", 0)])
def test_what_is_finished_is_summed_up_at_each_phase_that_is_due(tasks: Tasks, name: str, count: int) -> None:
    task = tasks.start("Prices", tier(name), "tax")
    tasks.record(task, (EventKind.EDITED, {"path": "shop/cart.py"}))
    tasks.phase(task, Phase.PLANNING_COMPLETE)
    log = tasks.log(tasks.finish(task))
    assert len(log.summaries) == count
    assert log.task.outcome is TaskOutcome.COMPLETED
    assert tasks.current("tax") is None


def test_what_is_given_up_gets_no_phase_that_it_did_not_reach(tasks: Tasks) -> None:
    task = tasks.start("Prices", tier("STRICT"))
    tasks.phase(task, Phase.PLANNING_COMPLETE)
    log = tasks.log(tasks.finish(task, TaskOutcome.ABANDONED))
    assert [summary["phase"] for summary in log.summaries] == ["planning_complete"]
    other = tasks.start("Rounding", tier("STRICT"))
    tasks.phase(other, Phase.PLANNING_COMPLETE)
    tasks.record(other, (EventKind.EDITED, {"path": "shop/cart.py"}))
    log = tasks.log(tasks.finish(other, TaskOutcome.ABANDONED))
    assert [summary["phase"] for summary in log.summaries] == ["planning_complete", "abandoned"]
    assert log.summaries[1]["files_modified"] == ["shop/cart.py"]


def test_work_that_was_left_is_announced_once_to_work_that_matters(tasks: Tasks, clock: Clock) -> None:
    left = tasks.start("Prices", tier("STANDARD"))
    clock.turn(hours=2)
    now = tasks.start("Rounding", tier("STRICT"))
    assert announced(tasks, Tier.LIGHT, SETTINGS, now.id) is None
    assert announced(tasks, Tier.EXEMPT, SETTINGS, now.id) is None
    found = announced(tasks, Tier.STRICT, SETTINGS, now.id)
    assert found is not None
    assert found.id == left.id
    assert announced(tasks, Tier.STRICT, SETTINGS, now.id) is None


@pytest.mark.parametrize(("taken", "is_told"), [(0.499, True), (0.501, False)])
def test_work_that_is_found_too_late_is_not_announced(tasks: Tasks, taken: float, is_told: bool) -> None:
    tasks.start("Prices", tier("STANDARD"))
    times = iter((7.0, 7.0 + taken))
    assert (announced(tasks, Tier.STANDARD, SETTINGS, clock=lambda: next(times)) is not None) == is_told
    # What was not told may be told the next time.
    assert (announced(tasks, Tier.STANDARD, SETTINGS) is None) == is_told


def test_only_the_newest_ten_are_looked_at(tasks: Tasks) -> None:
    tasks.start("Prices", tier("STANDARD"))
    for number in range(9):
        tasks.finish(tasks.start(f"Small {number}", tier("LIGHT")))
    assert tasks.to_announce(Tier.STRICT, 10) is not None
    tasks.finish(tasks.start("One more", tier("LIGHT")))
    assert tasks.to_announce(Tier.STRICT, 10) is None


@pytest.mark.parametrize("tier_now", [Tier.LIGHT, Tier.EXEMPT])
def test_where_little_is_at_stake_nothing_is_looked_at(
    tasks: Tasks, tier_now: Tier, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.start("Prices", tier("STANDARD"))
    queries: list[str] = []
    monkeypatch.setattr(tasks.database, "rows", lambda query, values=(): queries.append(query) or [])
    assert announced(tasks, tier_now, SETTINGS) is None
    assert queries == []


def test_of_fifty_five_tasks_five_lose_their_events_and_keep_their_summaries(
    tasks: Tasks, clock: Clock
) -> None:
    begun = [tasks.start(f"Task {number}", tier("STANDARD")) for number in range(55)]
    for number, task in enumerate(begun):
        tasks.record(task, (EventKind.SAVED, {"path": f"shop/part{number}.py"}))
        tasks.phase(task, Phase.EXECUTION_COMPLETE)
    verdict = tasks.clean()
    assert list(verdict.evict) == [task.id for task in begun[:5]]
    assert verdict.warning.startswith("55 tasks are in progress")
    for number, task in enumerate(begun):
        log = tasks.log(tasks.find(task.id))
        assert bool(log.events) == (number >= 5)
        assert [summary["files_modified"] for summary in log.summaries] == [[f"shop/part{number}.py"]]
    # The sixth was looked at since: now the seventh is the longest unused.
    tasks.change(begun[5])
    tasks.start("One more", tier("STANDARD"))
    assert set(tasks.clean().evict) == {task.id for task in (*begun[:5], begun[6])}


def test_after_a_day_the_events_go_and_the_summary_stays(tasks: Tasks, clock: Clock) -> None:
    task = tasks.start("Prices", tier("STANDARD"))
    tasks.record(task, (EventKind.SAVED, {"path": "shop/cart.py"}))
    tasks.phase(task, Phase.EXECUTION_COMPLETE)
    clock.turn(hours=25)
    assert tasks.clean().abandon == (task.id,)
    log = tasks.log(tasks.find(task.id))
    assert (log.task.outcome, list(log.events)) == (TaskOutcome.ABANDONED, [])
    assert [summary["files_modified"] for summary in log.summaries] == [["shop/cart.py"]]
    clock.turn(days=31)
    assert tasks.clean().forget == (task.id,)
    assert tasks.all() == []


@pytest.mark.parametrize("name", ["STRICT", "STANDARD", "LIGHT", "EXEMPT"])
def test_what_was_left_at_no_phase_keeps_a_summary_of_its_events(
    tasks: Tasks, clock: Clock, name: str
) -> None:
    task = tasks.start("Prices", tier(name))
    todos = ((EventKind.TODO, {"text": text, "state": state}) for text, state in TODOS.items())
    tests = {"passed": 3, "failed": 1, "skipped": 2, "failing": ["tests/test_cart.py::test_total"]}
    tasks.record(
        task,
        *todos,
        (EventKind.PLANNED, {"paths": ["shop/cart.py"]}),
        (EventKind.EDITED, {"path": "shop/cart.py"}),
        (EventKind.SAVED, {"path": "other/rates.py"}),
        (EventKind.TESTS, tests),
    )
    clock.turn(hours=25)
    assert tasks.clean().abandon == (task.id,)
    log = tasks.log(tasks.find(task.id))
    assert list(log.events) == []
    (summary,) = log.summaries
    assert summary["phase"] == "abandoned"
    assert summary["files_modified"] == ["other/rates.py", "shop/cart.py"]
    assert (summary["todos_completed"], summary["todos_remaining"]) == (["parser"], ["rounding"])
    assert [row["type"] for row in summary["deviations"]] == [
        "todo_incomplete",
        "unplanned_file",
        "test_failure",
    ]
    assert summary["verification"] == {"passed": 3, "failed": 1, "skipped": 2}
    assert "1 × edited" in tasks.page(tasks.find(task.id)).text


def test_what_came_after_the_last_phase_is_kept_as_well(tasks: Tasks, clock: Clock) -> None:
    task = tasks.start("Prices", tier("STANDARD"))
    tasks.record(task, (EventKind.SAVED, {"path": "shop/cart.py"}))
    tasks.phase(task, Phase.EXECUTION_COMPLETE)
    tasks.record(task, (EventKind.SAVED, {"path": "shop/rates.py"}))
    clock.turn(hours=25)
    tasks.clean()
    kept = tasks.log(tasks.find(task.id)).summaries
    assert [(one["phase"], one["files_modified"]) for one in kept] == [
        ("execution_complete", ["shop/cart.py"]),
        ("abandoned", ["shop/rates.py"]),
    ]


def test_a_task_that_lost_its_events_and_goes_on_keeps_both_halves(tasks: Tasks, clock: Clock) -> None:
    limits = Limits(active=1)
    task = tasks.start("Prices", tier("STRICT"), "tax")
    tasks.record(task, *((EventKind.TODO, {"text": t, "state": s}) for t, s in TODOS.items()))
    tasks.record(task, (EventKind.SAVED, {"path": "shop/cart.py"}))
    tasks.phase(task, Phase.PLANNING_COMPLETE)
    tasks.record(task, (EventKind.SAVED, {"path": "shop/rates.py"}))
    tasks.start("Other", tier("LIGHT"))
    assert tasks.clean(limits).evict == (task.id,)
    assert tasks.todos(task) == TODOS, "its list is still counted"
    assert Phase.PLANNING_COMPLETE in tasks.phases(task)
    tasks.record(task, (EventKind.SAVED, {"path": "shop/tax.py"}))
    tasks.start("More", tier("LIGHT"))
    assert task.id in tasks.clean(limits).evict
    tasks.record(task, (EventKind.SAVED, {"path": "shop/sums.py"}))
    kept = tasks.log(tasks.finish(task)).summaries
    assert [(one["phase"], one["files_modified"]) for one in kept] == [
        ("planning_complete", ["shop/cart.py"]),
        ("evicted", ["shop/rates.py"]),
        ("evicted 2", ["shop/tax.py"]),
        ("execution_complete", ["shop/sums.py"]),
        ("verification_complete", []),
    ]


def test_an_eviction_right_after_a_phase_loses_nothing(tasks: Tasks) -> None:
    task = tasks.start("Prices", tier("STANDARD"), "tax")
    tasks.record(task, (EventKind.SAVED, {"path": "shop/cart.py"}))
    tasks.phase(task, Phase.EXECUTION_COMPLETE)
    tasks.start("Other", tier("LIGHT"))
    assert tasks.clean(Limits(active=1)).evict == (task.id,)
    tasks.record(task, (EventKind.SAVED, {"path": "shop/rates.py"}))
    assert [one["files_modified"] for one in tasks.log(task).summaries] == [["shop/cart.py"]]
    kept = tasks.log(tasks.finish(task)).summaries
    assert [(one["phase"], one["files_modified"]) for one in kept] == [
        ("execution_complete", ["shop/cart.py"])
    ]


def test_a_task_is_found_by_how_it_begins(tasks: Tasks) -> None:
    one, other = tasks.start("Prices", tier("LIGHT")), tasks.start("Rounding", tier("LIGHT"))
    assert tasks.find(one.id[:-1] if one.id[:-1] != other.id[:-1] else one.id).id == one.id
    with pytest.raises(UsageError, match="2 tasks begin with '2026'"):
        tasks.find("2026")
    with pytest.raises(UsageError, match="no task begins with 'x'"):
        tasks.find("x")


def test_another_tier_changes_what_is_due(tasks: Tasks) -> None:
    task = tasks.start("Prices", tier("LIGHT"))
    task = tasks.change(task, tier("STANDARD"), "Prices with tax")
    assert len(tasks.log(tasks.finish(task)).summaries) == 1
    assert tasks.find(task.id).description == "Prices with tax"


def test_a_day_of_work_is_told_in_one_page(tasks: Tasks, clock: Clock) -> None:
    """2,000 events over eight hours: the summary is short and the store small."""
    task = tasks.start("Prices", tier("STANDARD"))
    for number in range(2000):
        clock.turn(seconds=13)
        tasks.record(task, (EventKind.EDITED, {"path": f"shop/part{number % 7}.py"}))
    log = tasks.log(tasks.finish(task))
    (summary,) = log.summaries
    assert summary["operations"] == {"edited": 2000, "started": 1}
    assert summary["files_modified"] == [f"shop/part{n}.py" for n in range(7)]
    assert tasks.database.size() < 5_000_000
    assert AuditTrail(tasks.database).broken_at() is None


def test_a_hand_over_has_what_it_took_and_the_files_that_it_shows(tmp_path: Path, clock: Clock) -> None:
    with tasks_of(tmp_path, tmp_path / "state", clock) as tasks:
        task = tasks.start("Prices", tier("STANDARD"), "tax")
        tasks.hand("tax", 9, "context", 41.26, ["a.py", "b.py", "a.py"])
        tasks.hand("tax", 9, "page")
        tasks.record(task, (EventKind.SAVED, {"path": "b.py"}))
        first, second = (e.detail for e in tasks.events(task) if e.kind is EventKind.HANDED)
        assert first == {"tokens": 9, "operation": "context", "milliseconds": 41.3, "paths": ["a.py", "b.py"]}
        assert second == {"tokens": 9, "operation": "page"}
        (found,) = Metrics(tasks.database).measured(task.id).tasks
        assert found.context == Context(1, 41.3, 1.0)


@pytest.mark.parametrize(("batching", "bound"), [(True, 300), (False, 500)])
def test_how_much_a_task_is_handed_depends_on_batching(
    tmp_path: Path, clock: Clock, batching: bool, bound: int
) -> None:
    with tasks_of(tmp_path, tmp_path / "state", clock, batching=batching) as tasks:
        task = tasks.start("Prices", tier("STANDARD"), "tax")
        tasks.measure(task)
        (metrics,) = [event for event in tasks.events(task) if event.kind is EventKind.METRICS]
        assert metrics.number("bound") == bound
        assert tasks.hand("tax", int(0.8 * bound) - 1, "search") == ""
        assert f"of the {bound} tokens that STANDARD allows" in tasks.hand("tax", 1, "search")
        tasks.record(task, *((EventKind.TODO, {"text": f"todo {n}", "state": "open"}) for n in range(500)))
        tasks.phase(task, Phase.EXECUTION_COMPLETE)
        page = tasks.page(task, bounded=True)
        assert f"the limit of STANDARD is {bound} tokens" in page.warning
        assert sum(tasks.handed(task).values()) <= bound
