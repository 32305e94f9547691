"""The scores of a workspace, checkpoint by checkpoint: what trends and plots are made of."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from gateline.store.database import Database
from gateline.worklog.scored import Scored

_COLUMNS = "at, task, branch, level, progress, outcome, score, evidence, edition, parts, content, base"
_KEPT = 5_000
"""So many are kept of a workspace."""


class Scores:
    """Appends and reads; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scored: Scored) -> None:
        """Remember one; the oldest goes when there are too many."""
        marks = ", ".join("?" * 12)
        with self._database.writing() as connection:
            connection.execute(f"INSERT INTO scores ({_COLUMNS}) VALUES ({marks})", _row(scored))
            connection.execute(
                "DELETE FROM scores WHERE number <= (SELECT max(number) FROM scores) - ?", (_KEPT,)
            )

    def of_branch(self, branch: str, *, newest: int) -> list[Scored]:
        """The newest of a branch, oldest first."""
        return self._found("branch = ?", branch, newest)

    def of_task(self, task: str, *, newest: int = _KEPT) -> list[Scored]:
        """Those of a task, oldest first."""
        return self._found("task = ?", task, newest)

    def accepted(self, branch: str, edition: str, *, newest: int, besides: str = "") -> list[Scored]:
        """The newest accepted final ones of a branch, by the same settings and tools, oldest first.

        Each content counts once, however often it was judged, and the content `besides` not at all.
        """
        where = (
            "branch = ? AND level = 'final' AND outcome IN ('accept', 'conditional-accept') AND edition = ?"
        )
        once = f"SELECT max(number) FROM scores WHERE {where} AND content != '' GROUP BY content"
        chosen = f"{where} AND (content = '' OR (content != ? AND number IN ({once})))"
        return self._found(chosen, branch, edition, besides, branch, edition, newest)

    def early(self, now: Scored) -> Scored | None:
        """The newest at early of the same task, or of the same change: that of its branch against its base.

        One that somebody said or counted goes before one that was inferred; by other settings or tools, or
        of a text that did not parse, none tells.
        """
        where = (
            "level = 'early' AND outcome != 'fast-fail' AND edition = ? AND "
            "(branch = ? AND base = ? AND base != '' OR task = ? AND task != '')"
        )
        same = (now.edition, now.branch, now.base, now.task)
        said = self._found(f"{where} AND progress != 'inferred'", *same, 1)
        found = said or self._found(where, *same, 1)
        return found[0] if found else None

    def _found(self, where: str, *values: object) -> list[Scored]:
        query = f"SELECT {_COLUMNS} FROM scores WHERE {where} ORDER BY number DESC LIMIT ?"
        return [_scored(row) for row in reversed(self._database.rows(query, values))]


def _row(scored: Scored) -> tuple[object, ...]:
    return (
        scored.at.astimezone(UTC).isoformat(timespec="microseconds"),
        scored.task,
        scored.branch,
        scored.level,
        scored.progress,
        scored.outcome,
        scored.score,
        scored.evidence,
        scored.edition,
        json.dumps(dict(scored.parts), sort_keys=True),
        scored.content,
        scored.base,
    )


def _scored(row: tuple[Any, ...]) -> Scored:
    columns = dict(zip(_COLUMNS.split(", "), row, strict=True))
    read = {"at": datetime.fromisoformat(columns["at"]), "parts": json.loads(columns["parts"])}
    return Scored(**{**columns, **read})
