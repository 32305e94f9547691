"""Opening a database that another process holds for itself."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.store.journal import write_ahead


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A process in the middle of what needs the file alone."""
    connection = sqlite3.connect(tmp_path / "db", isolation_level=None)
    connection.execute("CREATE TABLE t (x)")
    connection.execute("BEGIN EXCLUSIVE")
    yield connection
    connection.close()


@pytest.fixture
def connection(tmp_path: Path, holder: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Of another process, without patience of its own."""
    connection = sqlite3.connect(tmp_path / "db", timeout=0, isolation_level=None)
    yield connection
    connection.close()


def test_it_waits_for_the_other(holder: sqlite3.Connection, connection: sqlite3.Connection) -> None:
    pauses = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            holder.execute("COMMIT")

    write_ahead(connection, 5, now=lambda: sum(pauses), pause=pause)
    assert len(pauses) == 3
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_its_patience_ends(holder: sqlite3.Connection, connection: sqlite3.Connection) -> None:
    pauses: list[float] = []
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(connection, 0.5, now=lambda: sum(pauses), pause=pauses.append)
    assert 0.5 <= sum(pauses) < 0.6
    assert holder.in_transaction


def test_what_is_no_lock_is_told_at_once(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "db").execute("CREATE TABLE t (x)").connection.close()
    connection = sqlite3.connect(f"file:{tmp_path / 'db'}?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        write_ahead(connection, 5, pause=lambda _: pytest.fail("nothing to wait for"))
