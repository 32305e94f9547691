"""Tasks from their start to their end, with a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.session.errors import UsageError
from gateline.session.tasks import Tasks
from gateline.store.audit import AuditTrail
from gateline.store.database import Database
from gateline.worklog.task import EventKind, Phase, TaskOutcome, Tier
from gateline.worklog.tier import InferredTier


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


def test_work_that_was_left_is_announced_once_to_work_that_matters(tasks: Tasks, clock: Clock) -> None:
    left = tasks.start("Prices", tier("STANDARD"))
    clock.turn(hours=2)
    now = tasks.start("Rounding", tier("STRICT"))
    assert tasks.detect(Tier.LIGHT, now.id) is None
    found = tasks.detect(Tier.STRICT, now.id)
    assert found is not None
    assert found.id == left.id
    assert tasks.detect(Tier.STRICT, now.id) is None


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
