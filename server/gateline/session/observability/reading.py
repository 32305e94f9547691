"""The series of a workspace, from its store, and from the session that has it open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gateline.session.observability.counting import observed
from gateline.session.observability.families import QUEUE
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.observations import Series

_PATIENCE = 1.0
"""Seconds that an open session has for its answer: a scrape waits for it."""


def series_of(root: Path, folder: Path | None = None) -> list[Series]:
    """What is counted of the workspace at `root`. Blocks. Raises StoreError.

    `folder` takes the place of the user's state folder.
    """
    database = Database(state_of(root, folder) / DATABASE)
    try:
        return observed(database)
    finally:
        database.close()


def with_queue(root: Path) -> Sequence[Series]:
    """The same, and how much waits in the session that has the workspace open, if there is one. Blocks."""
    return [*series_of(root), *_queue(root)]


def _queue(root: Path) -> list[Series]:
    from gateline.resident.connection import NotAnsweredError, connect

    try:
        with connect(str(root), start=False, seconds=_PATIENCE) as session:
            told = session.ask("gateline/observed", {"uri": root.as_uri()}, _PATIENCE)
    except NotAnsweredError:
        return []
    return [Series(QUEUE.name, {}, 1, row["total"]) for row in told["series"] if row["name"] == QUEUE.name]
