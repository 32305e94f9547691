"""The metrics of tasks, kept when the tasks are forgotten, and the baselines that they are compared with."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from gateline.refinement.metrics import Baseline, Context, TaskMetrics
from gateline.store.database import Database

_KEPT = 5_000
"""So many are kept of a workspace."""


class MetricsStore:
    """Reads and writes; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, found: Iterable[TaskMetrics]) -> None:
        """Keep the metrics of tasks that have ended; what is known of one already is replaced."""
        rows = [(one.id, one.begun, json.dumps(asdict(one), sort_keys=True)) for one in found]
        if not rows:
            return
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO task_metrics (task, begun, content) VALUES (?, ?, ?)", rows
            )
            connection.execute(
                "DELETE FROM task_metrics WHERE task NOT IN"
                " (SELECT task FROM task_metrics ORDER BY begun DESC LIMIT ?)",
                (_KEPT,),
            )

    def known(self) -> frozenset[str]:
        """The tasks whose metrics are kept."""
        return frozenset(name for (name,) in self._database.rows("SELECT task FROM task_metrics"))

    def all(self) -> list[TaskMetrics]:
        """All that are kept, newest first."""
        query = "SELECT content FROM task_metrics ORDER BY begun DESC, task"
        return [_metrics(json.loads(content)) for (content,) in self._database.rows(query)]

    def set_baseline(self, baseline: Baseline) -> None:
        """Record a baseline; one of this name is replaced."""
        row = (baseline.name, baseline.at, baseline.completed, baseline.tasks)
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO baselines (name, at, completed, tasks) VALUES (?, ?, ?, ?)", row
            )

    def baselines(self) -> list[Baseline]:
        """All baselines, newest first."""
        query = "SELECT name, completed, tasks, at FROM baselines ORDER BY at DESC, name"
        return [Baseline(*row) for row in self._database.rows(query)]


def _metrics(data: dict[str, Any]) -> TaskMetrics:
    """What was kept; a newer gateline's fields are left out."""
    known = {name: value for name, value in data.items() if name in TaskMetrics.__dataclass_fields__}
    context = Context(**{n: v for n, v in data["context"].items() if n in Context.__dataclass_fields__})
    return TaskMetrics(**{**known, "scores": tuple(data["scores"]), "context": context})
