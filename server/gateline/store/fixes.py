"""Failures that were fixed, and how often the same way."""

from __future__ import annotations

from datetime import UTC, datetime

from gateline.memory.recurring import Fix
from gateline.store.database import Database

_KEPT = 2_000
"""So many are kept of a workspace."""


class Fixes:
    """Appends and counts; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, fix: Fix, occurrence: str, at: datetime) -> tuple[int, frozenset[str]]:
        """Note a fix; how many times it was made by now, and in which files.

        `occurrence` names where it was made, as a loop or a content: one that is noted already counts once.
        """
        when = at.astimezone(UTC).isoformat(timespec="microseconds")
        mark = fix.fingerprint
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO fixes (fingerprint, occurrence, path, at) VALUES (?, ?, ?, ?)",
                (mark, occurrence, fix.path, when),
            )
            connection.execute(
                "DELETE FROM fixes WHERE number <= (SELECT max(number) FROM fixes) - ?", (_KEPT,)
            )
        rows = self._database.rows("SELECT path FROM fixes WHERE fingerprint = ?", (mark,))
        return len(rows), frozenset(path for (path,) in rows if path)
