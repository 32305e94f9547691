"""A store is there again whatever happened to its file, and what was decided is never changed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from gateline.store import database as database_module
from gateline.store.database import Database, ReadOnlyStoreError, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.lease import Lease
from gateline.store.worklogs import Worklogs
from gateline.worklog.task import Event, EventKind
from support.recorded_tasks import NOON, edited, task

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


def test_a_copy_of_what_another_process_has_migrated_is_not_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = (*database_module.MIGRATIONS, ("CREATE TABLE other (x)",))
    Database(file).close()
    monkeypatch.setattr(database_module, "MIGRATIONS", more)
    kept = Database._keep

    def late(self: Database, connection: sqlite3.Connection, version: int) -> None:
        monkeypatch.setattr(Database, "_keep", kept)
        Database(file).close()
        kept(self, connection, version)

    monkeypatch.setattr(Database, "_keep", late)
    assert Database(file).rows("SELECT * FROM other") == []
    (copy,) = file.parent.glob(f"{DATABASE}.version-*")
    with sqlite3.connect(copy) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (len(more) - 1,)


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


# Who leads

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
