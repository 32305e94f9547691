"""What is stored of tasks and decisions is there again, whatever happened to the process or the file."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.store import database as database_module
from gateline.store.audit import AuditTrail
from gateline.store.database import Database, ReadOnlyStoreError, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.lease import Lease
from gateline.store.worklogs import Worklogs
from gateline.worklog.retention import retention
from gateline.worklog.summary import summaries
from gateline.worklog.task import Event, EventKind, Phase, Task, TaskOutcome, Tier

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def task(name: str, hours: float = 0, **other: object) -> Task:
    made = Task(
        name, f"Task {name}", Tier.STANDARD, "30 changed lines in 2 files", NOON - timedelta(hours=hours)
    )
    return replace(made, **other)  # type: ignore[arg-type]


def edited(path: str, minute: int = 1) -> Event:
    return Event(NOON + timedelta(minutes=minute), EventKind.EDITED, {"path": path})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / DATABASE


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    made = Database(file)
    yield made
    made.close()


@pytest.fixture
def worklogs(database: Database) -> Worklogs:
    return Worklogs(database)


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


# Decisions


def test_decisions_are_never_changed(database: Database) -> None:
    trail = AuditTrail(database)
    for score in (80, 90):
        trail.add({"outcome": "accept", "score": score}, NOON)
    assert [entry.content["score"] for entry in trail.entries()] == [80, 90]
    for statement in ("UPDATE decisions SET content = ''", "DELETE FROM decisions"):
        with (
            pytest.raises(StoreError, match="a recorded decision is never"),
            database.writing() as connection,
        ):
            connection.execute(statement)
    assert trail.broken_at() is None


@pytest.mark.parametrize(
    ("tampering", "broken"),
    [
        ("UPDATE decisions SET content = '{\"score\": 100}' WHERE number = 2", 2),
        ("DELETE FROM decisions WHERE number = 2", 3),
        ("UPDATE decisions SET at = '2020-01-01' WHERE number = 1", 1),
    ],
)
def test_tampering_shows(file: Path, database: Database, tampering: str, broken: int) -> None:
    trail = AuditTrail(database)
    for score in (80, 90, 95):
        trail.add({"score": score}, NOON)
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TRIGGER decisions_stay")
        raw.execute("DROP TRIGGER decisions_are_kept")
        raw.execute(tampering)
    assert trail.broken_at() == broken


# Files that are not as they should be


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_file_is_set_aside(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    database = Database(file)
    assert database.set_aside is not None
    assert database.set_aside.read_bytes() == content
    Worklogs(database).start(task("t1"))
    assert len(Worklogs(Database(file)).tasks()) == 1


def test_a_newer_version_is_read_and_never_written(file: Path) -> None:
    made = Database(file)
    Worklogs(made).start(task("t1"))
    made.close()
    with sqlite3.connect(file) as raw:
        raw.execute("PRAGMA user_version = 99")
    newer = Database(file)
    assert [found.id for found in Worklogs(newer).tasks()] == ["t1"]
    with pytest.raises(ReadOnlyStoreError, match="newer gateline"):
        Worklogs(newer).start(task("t2"))


def test_an_older_version_is_copied_before_it_is_migrated(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Database(file)
    Worklogs(made).start(task("t1"))
    made.close()
    more = (*database_module.MIGRATIONS, ("ALTER TABLE tasks ADD COLUMN note TEXT NOT NULL DEFAULT ''",))
    monkeypatch.setattr(database_module, "MIGRATIONS", more)
    assert Database(file).rows("SELECT id, note FROM tasks") == [("t1", "")]
    copy = file.with_name(f"{DATABASE}.version-{len(more) - 1}")
    with sqlite3.connect(copy) as raw:
        assert raw.execute("SELECT id FROM tasks").fetchall() == [("t1",)]


def test_a_migration_that_fails_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Database(file)
    Worklogs(made).start(task("t1"))
    made.close()
    bad = ("CREATE TABLE other (x)", "CREATE TABLE tasks (x)")
    monkeypatch.setattr(database_module, "MIGRATIONS", (*database_module.MIGRATIONS, bad))
    with pytest.raises(StoreError, match="already exists"):
        Database(file)
    monkeypatch.undo()
    again = Database(file)
    assert [found.id for found in Worklogs(again).tasks()] == ["t1"]
    assert again.rows("SELECT name FROM sqlite_master WHERE name = 'other'") == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with pytest.raises(StoreError, match=r"worklog\.sqlite3 cannot be used"):
        Database(tmp_path / "state" / DATABASE)


def test_a_transaction_that_fails_leaves_nothing(database: Database, worklogs: Worklogs) -> None:
    worklogs.start(task("t1"))
    with pytest.raises(TypeError):
        worklogs.append("t1", [edited("a.py"), Event(NOON, EventKind.EDITED, {"path": object()})])
    assert [e.kind for e in worklogs.events("t1")] == ["started"]


def test_workspaces_of_one_name_have_stores_of_their_own(tmp_path: Path) -> None:
    one, other = state_of(tmp_path / "a" / "shop", tmp_path), state_of(tmp_path / "b" / "shop", tmp_path)
    assert one != other
    assert one.name.startswith("shop-")
    assert one.parent == tmp_path / "workspaces"


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


LEADER = """
import sys, time
from pathlib import Path
from gateline.store.lease import Lease
lease = Lease(Path(sys.argv[1]))
print(lease.take(), flush=True)
time.sleep(60)
"""


@pytest.mark.timeout(60)
def test_one_of_several_leads_until_it_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "leader.lock"
    other = subprocess.Popen([sys.executable, "-c", LEADER, str(file)], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "True\n"
    mine = Lease(file)
    assert not mine.take()
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    other.stdout.close()
    assert mine.take()
    assert not Lease(file).take()
    mine.give_back()
    assert Lease(file).take()
