"""Comparisons of candidate solutions that were made, by all that they depend on."""

from __future__ import annotations

from datetime import UTC, datetime

from gateline.store.database import Database

_KEPT = 50
"""So many are kept of a workspace."""


class Comparisons:
    """Keeps and finds texts by key; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: str, content: str, at: datetime) -> None:
        """Keep a comparison in place of an older one of its key; the oldest go when there are too many."""
        row = (key, at.astimezone(UTC).isoformat(timespec="seconds"), content)
        with self._database.writing() as connection:
            connection.execute("DELETE FROM comparisons WHERE key = ?", (key,))
            connection.execute("INSERT INTO comparisons (key, at, content) VALUES (?, ?, ?)", row)
            connection.execute(
                "DELETE FROM comparisons WHERE number <= (SELECT max(number) FROM comparisons) - ?", (_KEPT,)
            )

    def find(self, key: str, since: datetime) -> tuple[str, datetime] | None:
        """The content of a key that was kept at or after `since`, and when."""
        rows = self._database.rows("SELECT content, at FROM comparisons WHERE key = ?", (key,))
        found = [(str(content), datetime.fromisoformat(at)) for content, at in rows]
        return next(((content, at) for content, at in found if at >= since), None)

    def newest(self) -> list[str]:
        """The contents of all that are kept, the newest first."""
        return [row[0] for row in self._database.rows("SELECT content FROM comparisons ORDER BY number DESC")]
