"""Copies of mypy's cache, while an engine has it open."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from gateline.services.types.runs.cache import Cache


def rows(database: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(database)) as opened:
        return opened.execute("SELECT path FROM files").fetchall()


def test_a_run_starts_from_what_an_engine_has_open(tmp_path: Path) -> None:
    resident = tmp_path / "resident" / "3.11"
    resident.mkdir(parents=True)
    with closing(sqlite3.connect(resident / "cache.0.db")) as engine:
        engine.execute("PRAGMA journal_mode=WAL")
        engine.execute("CREATE TABLE files (path TEXT)")
        engine.execute("INSERT INTO files VALUES ('shop.data.ff')")
        engine.commit()
        assert (resident / "cache.0.db-wal").stat().st_size, "what was committed is not in the database yet"
        with Cache(str(tmp_path)).for_run() as folder:
            copied = Path(folder) / "3.11"
            assert [file.name for file in copied.iterdir()] == ["cache.0.db"]
            assert rows(copied / "cache.0.db") == [("shop.data.ff",)]


def test_a_damaged_database_is_copied_as_it_is(tmp_path: Path) -> None:
    resident = tmp_path / "resident"
    resident.mkdir()
    (resident / "cache.0.db").write_bytes(b"junk" * 500)
    with Cache(str(tmp_path)).for_run() as folder:
        assert (Path(folder) / "cache.0.db").read_bytes() == b"junk" * 500
