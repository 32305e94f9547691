"""The audit trail: every decision, in order, each bound to the one before it by a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gateline.store.database import Database


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision as it was recorded."""

    number: int
    at: datetime
    content: Mapping[str, Any]


class AuditTrail:
    """Appends and reads; nothing is ever changed or deleted. Methods raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, content: Mapping[str, object], at: datetime) -> None:
        """Record a decision. When this returns, it survives a power cut."""
        text, time = json.dumps(dict(content), sort_keys=True), at.astimezone(UTC).isoformat()
        with self._database.writing(durable=True) as connection:
            last = connection.execute("SELECT digest FROM decisions ORDER BY number DESC LIMIT 1").fetchone()
            digest = _digest(last[0] if last else "", time, text)
            connection.execute(
                "INSERT INTO decisions (at, content, digest) VALUES (?, ?, ?)", (time, text, digest)
            )

    def entries(self, *, newest: int = 100) -> list[Entry]:
        """The newest decisions, oldest first."""
        query = "SELECT number, at, content FROM decisions ORDER BY number DESC LIMIT ?"
        rows = self._database.rows(query, (newest,))
        return [
            Entry(n, datetime.fromisoformat(at), json.loads(content)) for n, at, content in reversed(rows)
        ]

    def broken_at(self) -> int | None:
        """The number of the first decision that is not what was recorded, or follows a gap; None: all are."""
        before = ""
        for number, at, content, digest in self._database.rows("SELECT * FROM decisions ORDER BY number"):
            if digest != _digest(before, at, content):
                return int(number)
            before = digest
        return None


def _digest(before: str, at: str, content: str) -> str:
    return hashlib.sha256("\0".join((before, at, content)).encode()).hexdigest()
