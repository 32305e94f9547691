"""The runs of the evals of a workspace: the baselines that later runs are measured against."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from gateline.evals.run import Kind, Run
from gateline.store.database import Database

_COLUMNS = "suite, kind, at, score, cases, failed, accepted, judge"
_KEPT = 1_000
"""So many are kept of a workspace."""


class EvalRuns:
    """Appends and reads; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, run: Run) -> None:
        """Keep a run; the oldest goes when there are too many."""
        at = run.at.astimezone(UTC).isoformat(timespec="microseconds")
        failed = json.dumps(run.failed)
        row = (run.suite, str(run.kind), at, run.score, run.cases, failed, int(run.accepted), run.judge)
        with self._database.writing() as connection:
            connection.execute(f"INSERT INTO eval_runs ({_COLUMNS}) VALUES ({', '.join('?' * 8)})", row)
            connection.execute(
                "DELETE FROM eval_runs WHERE number <= (SELECT max(number) FROM eval_runs) - ?", (_KEPT,)
            )

    def accepted(self, suite: str, newest: int, judge: str = "") -> list[Run]:
        """The newest accepted runs of a suite that the same model judged, or none did; oldest first."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM eval_runs WHERE suite = ? AND judge = ? AND accepted"
            " ORDER BY number DESC LIMIT ?",
            (suite, judge, newest),
        )
        return [_run(row) for row in reversed(rows)]

    def newest(self) -> list[Run]:
        """The newest run of each suite, by name."""
        last = "SELECT max(number) FROM eval_runs GROUP BY suite"
        query = f"SELECT {_COLUMNS} FROM eval_runs WHERE number IN ({last}) ORDER BY suite"
        return [_run(row) for row in self._database.rows(query)]


def _run(row: tuple[Any, ...]) -> Run:
    name, kind, at, score, cases, failed, ok, judge = row
    made = datetime.fromisoformat(at)
    return Run(name, Kind(kind), made, score, cases, tuple(json.loads(failed)), bool(ok), judge)
