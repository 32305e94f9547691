"""The audit trail: what was decided is never changed, and shows where it was."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gateline.store import database as database_module
from gateline.store.audit import AuditTrail, Break
from gateline.store.database import Database, StoreError
from support.recorded_tasks import NOON

CHANGED = "its content, or that of the record before it, was changed"


def repeated(content: Mapping[str, object], number: int) -> Mapping[str, object]:
    return {"again": number}


@pytest.fixture
def trail(database: Database) -> AuditTrail:
    made = AuditTrail(database)
    for score in (80, 90, 95):
        made.add({"score": score}, NOON)
    return made


def test_decisions_are_never_changed(database: Database, trail: AuditTrail) -> None:
    assert [entry.content["score"] for entry in trail.entries()] == [80, 90, 95]
    for statement in ("UPDATE decisions SET content = ''", "DELETE FROM decisions"):
        with (
            pytest.raises(StoreError, match="a recorded decision is never"),
            database.writing() as connection,
        ):
            connection.execute(statement)
    assert trail.broken_at() is None


@pytest.mark.parametrize(
    ("tampering", "broken", "why"),
    [
        ("UPDATE decisions SET content = '{\"score\": 100}' WHERE number = 2", 2, CHANGED),
        (
            "UPDATE decisions SET at = 'once' WHERE number = 1",
            1,
            "its content, or that of the record before it, was changed",
        ),
        ("DELETE FROM decisions WHERE number = 1", 2, "record 1 is missing"),
        ("DELETE FROM decisions WHERE number = 2", 3, "record 2 is missing"),
        ("DELETE FROM decisions WHERE number = 3", 3, "record 3 is missing"),
        ("DELETE FROM decisions", 1, "records 1 to 3 are missing"),
        ("UPDATE decisions SET number = number + 1 WHERE number = 3", 4, "record 3 is missing"),
    ],
)
def test_tampering_shows(file: Path, trail: AuditTrail, tampering: str, broken: int, why: str) -> None:
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TRIGGER decisions_stay")
        raw.execute("DROP TRIGGER decisions_are_kept")
        raw.execute(tampering)
    assert trail.broken() == Break(broken, why)
    assert len(trail.entries()) <= 3, "it can be read all the same"


def test_what_goes_on_after_the_newest_was_taken_away_shows(file: Path, trail: AuditTrail) -> None:
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TRIGGER decisions_are_kept")
        raw.execute("DELETE FROM decisions WHERE number = 3")
    trail.add({"score": 70}, NOON)
    assert trail.broken() == Break(4, "record 3 is missing")


@pytest.mark.parametrize(
    ("also", "broken"), [("SELECT 1", None), ("DELETE FROM decisions WHERE number = 1", 2)]
)
def test_what_says_how_far_the_trail_goes_may_be_gone(
    file: Path, trail: AuditTrail, also: str, broken: int | None
) -> None:
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TRIGGER decisions_are_kept")
        raw.execute("DELETE FROM trail")
        raw.execute(also)
    assert trail.add({"score": 70}, NOON) == 4
    assert trail.broken_at() == broken


def test_the_oldest_are_let_go_and_the_chain_still_holds(database: Database, file: Path) -> None:
    trail = AuditTrail(database, kept=10)
    for score in range(37):
        trail.add({"score": score}, NOON)
        assert trail.broken() is None
        assert trail.extent().count <= 20
    assert [entry.content["score"] for entry in trail.entries()] == list(range(22, 37))
    assert trail.entries()[0].number == 23
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TRIGGER decisions_are_kept")
        raw.execute("DELETE FROM decisions WHERE number = 23")
    assert trail.broken() == Break(24, "record 23 is missing")


def test_the_oldest_go_only_by_that_way(database: Database) -> None:
    trail = AuditTrail(database, kept=2)
    for score in range(9):
        trail.add({"score": score}, NOON)
    with pytest.raises(StoreError, match="never deleted"), database.writing() as connection:
        connection.execute("DELETE FROM decisions WHERE number = 9")


def test_the_same_decision_again_is_short(database: Database) -> None:
    trail = AuditTrail(database)
    first, other = ({"decision": name, "reasons": ["x" * 1000]} for name in "ab")
    trail.add_all([(NOON, first), (NOON, other), (NOON, first)], repeated)
    trail.add_all([(NOON, first)], repeated)
    assert [dict(entry.content) for entry in trail.entries()] == [first, other, {"again": 1}, {"again": 1}]
    assert trail.broken() is None


def test_a_trail_of_an_earlier_version_goes_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = database_module.MIGRATIONS
    monkeypatch.setattr(database_module, "MIGRATIONS", known[:4])
    earlier = Database(file)
    digest = "7c9e" * 16
    with earlier.writing() as connection:
        connection.execute("INSERT INTO decisions (at, content, digest) VALUES ('', '{}', ?)", (digest,))
    earlier.close()
    monkeypatch.setattr(database_module, "MIGRATIONS", known)
    trail = AuditTrail(Database(file))
    assert trail.add({"score": 1}, NOON) == 2
    assert trail.broken_at() == 1, "its digest was made up above"
    with sqlite3.connect(file) as raw:
        (before,) = raw.execute("SELECT digest FROM trail").fetchone()
    assert before == trail.entries()[-1].digest


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from gateline.store.audit import AuditTrail
from gateline.store.database import Database
for number in range(40):
    # As commands do it: each opens the store anew.
    database = Database(Path(sys.argv[1]))
    AuditTrail(database, kept=60).add({"by": sys.argv[2], "number": number}, datetime.now(UTC))
    database.close()
"""


@pytest.mark.timeout(120)
def test_the_chain_holds_when_processes_append_at_a_time(file: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(file), name]) for name in "abc"]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    trail = AuditTrail(Database(file))
    assert trail.extent().newest == 120
    assert trail.broken() is None
    for name in "abc":
        own = [entry.content["number"] for entry in trail.entries() if entry.content["by"] == name]
        assert own == list(range(40 - len(own), 40))
