"""What is stored of tasks and decisions is there again, whatever happened to the process or the file."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gateline.store.database import Database
from gateline.store.worklogs import Worklogs
from gateline.worklog.retention import retention
from gateline.worklog.summary import summaries
from gateline.worklog.task import Event, EventKind, Phase, TaskOutcome
from support.recorded_tasks import NOON, edited, task

# Tasks and events


def test_a_task_is_read_as_it_was_written(worklogs: Worklogs, file: Path) -> None:
    made = task("t1", branch="tax", last_access=NOON)
    worklogs.start(made)
    worklogs.append(
        "t1", [edited("shop/cart.py"), Event(NOON, EventKind.TESTS, {"passed": 3, "failing": ["a"]})]
    )
    again = Worklogs(Database(file))
    assert again.task("t1") == replace(made, last_access=NOON)
    assert [e.kind for e in again.events("t1")] == ["started", "edited", "tests"]
    assert again.events("t1")[2].texts("failing") == ("a",)


def test_a_task_is_started_once(worklogs: Worklogs) -> None:
    worklogs.start(task("t1"))
    worklogs.start(replace(task("t1"), description="another"))
    assert [e.kind for e in worklogs.events("t1")] == ["started"]
    assert [found.description for found in worklogs.tasks()] == ["Task t1"]


def test_the_newest_come_first(worklogs: Worklogs) -> None:
    for name, hours in (("old", 5), ("new", 1), ("middle", 3)):
        worklogs.start(task(name, hours))
    assert [found.id for found in worklogs.tasks()] == ["new", "middle", "old"]
    assert [found.id for found in worklogs.tasks(newest=1)] == ["new"]


def test_the_task_of_a_branch(worklogs: Worklogs) -> None:
    worklogs.start(task("done", 1, branch="tax", outcome=TaskOutcome.COMPLETED))
    worklogs.start(task("now", 2, branch="tax"))
    worklogs.start(task("other", 0, branch="main"))
    found = worklogs.in_progress("tax")
    assert found is not None
    assert found.id == "now"
    assert worklogs.in_progress("nowhere") is None


def test_a_person_is_told_once_in_whatever_window(worklogs: Worklogs, file: Path) -> None:
    worklogs.start(task("t1"))
    other = Worklogs(Database(file))
    assert [worklogs.announce("t1"), other.announce("t1")] == [True, False]
    assert other.announced() == {"t1"}


def test_retention_keeps_the_summaries_of_what_it_deletes(worklogs: Worklogs) -> None:
    worklogs.start(task("left", 25))
    worklogs.append(
        "left", [edited("a.py"), Event(NOON, EventKind.PHASE, {"phase": str(Phase.EXECUTION_COMPLETE)})]
    )
    worklogs.start(task("gone", 24 * 40, outcome=TaskOutcome.COMPLETED, ended_at=NOON - timedelta(days=31)))
    verdict = retention(worklogs.tasks(), NOON)
    made = {name: summaries(task(name), worklogs.events(name)) for name in verdict.abandon}
    worklogs.carry_out(verdict, made, NOON)
    (left,) = worklogs.tasks()
    assert (left.id, left.outcome, left.ended_at) == ("left", TaskOutcome.ABANDONED, NOON)
    assert worklogs.events("left") == []
    assert [kept["files_modified"] for kept in worklogs.summaries("left")] == [["a.py"]]
    assert worklogs.summaries("gone") == []


def test_what_is_deleted_is_given_back(database: Database, worklogs: Worklogs) -> None:
    worklogs.start(task("t1", 25))
    worklogs.append("t1", [edited("x" * 1000, n) for n in range(2000)])
    full = database.size()
    worklogs.carry_out(retention(worklogs.tasks(), NOON), {}, NOON)
    database.shrink()
    assert database.size() < full / 10


# Several processes

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from gateline.store.database import Database
from gateline.store.worklogs import Worklogs
from gateline.worklog.task import Event, EventKind, Task, Tier
worklogs = Worklogs(Database(Path(sys.argv[1])))
name = sys.argv[2]
now = datetime.now(UTC)
worklogs.start(Task(name, name, Tier.STANDARD, "", now))
print("ready", flush=True)
number = 0
while True:
    pair = [Event(now, EventKind.EDITED, {"path": f"{number}-{half}"}) for half in ("a", "b")]
    worklogs.append(name, pair)
    number += 1
    print(number, flush=True)
"""


def writer(file: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), name], stdout=subprocess.PIPE, text=True
    )


def written(process: subprocess.Popen[str]) -> int:
    """How many pairs a killed writer had said were stored."""
    assert process.stdout is not None
    said = [line for line in process.stdout.read().split("\n")[:-1] if line.isdigit()]
    process.stdout.close()
    return int(said[-1]) if said else 0


@pytest.mark.timeout(120)
def test_writers_that_are_killed_lose_nothing_and_leave_nothing_half(file: Path) -> None:
    dice = random.Random(1)
    stored = {}
    for number in range(3):
        processes = {f"w{number}{side}": writer(file, f"w{number}{side}") for side in "ab"}
        for process in processes.values():
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        time.sleep(dice.uniform(0.02, 0.3))
        for process in processes.values():
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        stored |= {name: written(process) for name, process in processes.items()}
    worklogs = Worklogs(Database(file))
    for name, pairs in stored.items():
        paths = [e.text("path") for e in worklogs.events(name)[1:]]
        assert len(paths) % 2 == 0, "half a transaction"
        assert paths == [f"{n}-{half}" for n in range(len(paths) // 2) for half in "ab"]
        # One more may have been stored than was told.
        assert len(paths) // 2 - pairs in (0, 1)
    assert Database(file).rows("PRAGMA integrity_check") == [("ok",)]
