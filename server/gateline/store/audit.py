"""The audit trail: every decision, in order, each bound to the one before it by a digest."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gateline.store.database import Database

KEPT = 10_000
"""So many decisions are kept of a workspace; the oldest go first."""
_SPARE = 500
"""So many more may be there before the oldest go: not each new one is to delete another."""
_LOOKED_AT = 500
"""Among so many of the newest it is looked whether a decision was given before."""

Content = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision as it was recorded."""

    number: int
    at: datetime
    content: Mapping[str, Any]
    digest: str = ""
    """Of itself and the digest of the entry before."""


@dataclass(frozen=True, slots=True)
class Break:
    """Where the trail is not as it was recorded."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class Extent:
    """From which decision to which the trail goes; `newest` is less than `first` in an empty one."""

    first: int
    newest: int

    @property
    def count(self) -> int:
        """How many there are."""
        return self.newest - self.first + 1


@dataclass(frozen=True, slots=True)
class _Ends:
    first: int
    before: str
    """The digest of the last one that was let go."""
    newest: int
    digest: str


class AuditTrail:
    """Appends and reads; nothing is changed, and only the oldest are let go. Methods raise StoreError."""

    def __init__(self, database: Database, kept: int = KEPT) -> None:
        self._database = database
        self._kept = kept

    def add(self, content: Content, at: datetime) -> int:
        """Record a decision, and give its number. When this returns, it survives a power cut."""
        with self._database.writing(durable=True) as connection:
            return self._append(connection, content, at)

    def add_all(
        self, decisions: Iterable[tuple[datetime, Content]], repeated: Callable[[Content, int], Content]
    ) -> None:
        """Record decisions, all or none, in one write.

        One whose `decision` is that of a recent entry is recorded as `repeated` says, with that one's number.
        """
        with self._database.writing(durable=True) as connection:
            for at, content in decisions:
                known = _known(connection, str(content.get("decision", "")))
                self._append(connection, content if known is None else repeated(content, known), at)

    def entries(self, *, newest: int = 100) -> list[Entry]:
        """The newest decisions, oldest first."""
        query = "SELECT number, at, content, digest FROM decisions ORDER BY number DESC LIMIT ?"
        return [
            Entry(n, _time(at), _read(content), digest)
            for n, at, content, digest in reversed(self._database.rows(query, (newest,)))
        ]

    def extent(self) -> Extent:
        """From which decision to which there should be entries."""
        ends = self._ends()
        return Extent(ends.first, ends.newest)

    def broken(self) -> Break | None:
        """The first place where the trail is not as it was recorded; None: all of it is."""
        with self._database.reading() as connection:
            ends = _ends(connection)
            rows = connection.execute("SELECT number, at, content, digest FROM decisions ORDER BY number")
            number, before = ends.first - 1, ends.before
            for found, at, content, digest in rows:
                if found != number + 1:
                    return Break(int(found), _gap(number + 1, found))
                if digest != _digest(before, at, content):
                    return Break(int(found), "its content, or that of the record before it, was changed")
                number, before = found, digest
        if number < ends.newest:
            return Break(number + 1, _gap(number + 1, ends.newest + 1))
        if number > ends.newest or before != ends.digest:
            return Break(int(number), "the last record is not the one that was written last")
        return None

    def broken_at(self) -> int | None:
        """The number of the first decision that is not what was recorded, or follows a gap; None: all are."""
        found = self.broken()
        return found.number if found else None

    def _append(self, connection: sqlite3.Connection, content: Content, at: datetime) -> int:
        ends = _ends(connection)
        text, time = json.dumps(dict(content), sort_keys=True), at.astimezone(UTC).isoformat()
        number, digest = ends.newest + 1, _digest(ends.digest, time, text)
        row = (number, time, text, digest)
        connection.execute("INSERT INTO decisions (number, at, content, digest) VALUES (?, ?, ?, ?)", row)
        written = (ends.first, ends.before, number, digest)
        connection.execute(
            "INSERT OR REPLACE INTO trail (one, first, before, newest, digest) VALUES (1, ?, ?, ?, ?)",
            written,
        )
        if number - ends.first >= self._kept + min(_SPARE, self._kept):
            _let_go(connection, number - self._kept + 1)
        return number

    def _ends(self) -> _Ends:
        with self._database.reading() as connection:
            return _ends(connection)


def _ends(connection: sqlite3.Connection) -> _Ends:
    row = connection.execute("SELECT first, before, newest, digest FROM trail").fetchone()
    if row is None:
        # Somebody took it away: what is there goes on, and shows where the beginning is missing.
        row = connection.execute(
            "SELECT coalesce(min(number), 1), '', coalesce(max(number), 0),"
            " coalesce((SELECT digest FROM decisions ORDER BY number DESC LIMIT 1), '') FROM decisions"
        ).fetchone()
    return _Ends(*row)


def _let_go(connection: sqlite3.Connection, first: int) -> None:
    """Delete what came before `first`. The digest of the last of these stays: the chain begins with it."""
    query = "SELECT digest FROM decisions WHERE number = ?"
    found = connection.execute(query, (first - 1,)).fetchone()
    if found is not None:
        # The trigger lets go what lies before the first one that is kept.
        connection.execute("UPDATE trail SET first = ?, before = ?", (first, found[0]))
        connection.execute("DELETE FROM decisions WHERE number < ?", (first,))


def _known(connection: sqlite3.Connection, name: str) -> int | None:
    """The number of a recent entry of this decision with its evidence."""
    recent = "SELECT number, content FROM decisions ORDER BY number DESC LIMIT ?"
    query = f"SELECT max(number) FROM ({recent}) WHERE instr(content, ?)"
    found = connection.execute(query, (_LOOKED_AT, f'"decision": "{name}"')).fetchone() if name else None
    return found[0] if found else None


def _gap(missing: int, found: int) -> str:
    if found <= missing:
        return "it is out of order"
    if found == missing + 1:
        return f"record {missing} is missing"
    return f"records {missing} to {found - 1} are missing"


def _read(content: str) -> Mapping[str, Any]:
    try:
        found = json.loads(content)
    except ValueError:
        return {"unreadable": content}
    return found if isinstance(found, dict) else {"unreadable": content}


def _time(at: str) -> datetime:
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        # Somebody changed it, which `broken` tells.
        return datetime.fromtimestamp(0, UTC)


def _digest(before: str, at: str, content: str) -> str:
    return hashlib.sha256("\0".join((before, at, content)).encode()).hexdigest()
