"""A memory for tests: the table makes its vectors, and the clock is turned by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gateline.memory.lesson import NOWHERE, Anchor, Note, Stored
from gateline.session.memory.embedding import Maker, TableMaker
from gateline.session.memory.memory import Memory
from gateline.store.database import Database


class MemoryDesk:
    """A memory of a workspace in a folder, with other connections to the same file."""

    def __init__(self, folder: Path, makers: Sequence[Maker] | None = None) -> None:
        self.root = folder / "project"
        self.root.mkdir(parents=True, exist_ok=True)
        self.file = folder / "state" / "memory.sqlite3"
        self.makers = (TableMaker(),) if makers is None else tuple(makers)
        self._databases: list[Database] = []
        self.at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
        self.memory = self.another()

    def another(self, makers: Sequence[Maker] | None = None) -> Memory:
        """The memory as another process has it."""
        database = Database(self.file)
        self._databases.append(database)
        return Memory(database, self.root, self.makers if makers is None else makers, lambda: self.at)

    def remember(self, text: str, *tags: str, anchor: Anchor = NOWHERE) -> Stored:
        self.at += timedelta(minutes=1)
        return self.memory.remember(Note(text, tags, anchor))

    def close(self) -> None:
        for database in self._databases:
            database.close()
