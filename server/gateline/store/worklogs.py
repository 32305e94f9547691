"""The tasks of a workspace with their events and summaries."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from gateline.store.current import task_of
from gateline.store.database import Database
from gateline.worklog.rendering import plain
from gateline.worklog.retention import Verdict
from gateline.worklog.summary import Summary
from gateline.worklog.task import Event, EventKind, Task, TaskOutcome, Tier

_COLUMNS = "id, description, tier, tier_reason, branch, outcome, started_at, ended_at, last_access, savepoint"
_NEWEST_FIRST = "ORDER BY started_at DESC, rowid DESC"


class Worklogs:
    """Reads and writes; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, task: Task, detail: Mapping[str, object] | None = None) -> None:
        """A task begins, with its first event. One of this id that is there already stays as it is."""
        with self._database.writing() as connection:
            marks = ", ".join("?" * 10)
            row = _row(task)
            done = connection.execute(f"INSERT OR IGNORE INTO tasks ({_COLUMNS}) VALUES ({marks})", row)
            if done.rowcount:
                _append(connection, task.id, [Event(task.started_at, EventKind.STARTED, detail or {})])

    def update(self, task: Task) -> None:
        """Other words, another tier or outcome."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE tasks SET description = ?, tier = ?, tier_reason = ?, branch = ?, outcome = ?,"
                " ended_at = ?, last_access = ?, savepoint = ? WHERE id = ?",
                (*_row(task)[1:6], *_row(task)[7:], task.id),
            )

    def append(self, task: str, events: Sequence[Event]) -> None:
        """Record events, all or none."""
        if events:
            with self._database.writing() as connection:
                _append(connection, task, events)
                connection.execute(
                    "UPDATE tasks SET last_access = ? WHERE id = ?", (_text(events[-1].at), task)
                )
                for event in events:
                    if event.kind is EventKind.SAVEPOINT:
                        taken = (event.text("id"), task)
                        connection.execute("UPDATE tasks SET savepoint = ? WHERE id = ?", taken)

    def task(self, name: str) -> Task | None:
        """The task of an id."""
        return next(iter(self._tasks("WHERE id = ?", (name,))), None)

    def tasks(self, *, newest: int | None = None) -> list[Task]:
        """All tasks, or the newest few; newest first."""
        return self._tasks(f"{_NEWEST_FIRST} LIMIT ?", (-1 if newest is None else newest,))

    def in_progress(self, branch: str) -> Task | None:
        """The newest task of a branch that is not done."""
        name = task_of(self._database, branch)
        return self.task(name) if name else None

    def events(self, task: str, kind: EventKind | None = None) -> list[Event]:
        """The events of a task, or those of a kind, oldest first; none when they were deleted."""
        which = "task = ?" if kind is None else "task = ? AND kind = ?"
        values = (task,) if kind is None else (task, str(kind))
        rows = self._database.rows(
            f"SELECT at, kind, detail FROM events WHERE {which} ORDER BY number", values
        )
        return [Event(_time(at), EventKind(name), json.loads(detail)) for at, name, detail in rows]

    def summaries(self, task: str) -> list[dict[str, Any]]:
        """The summaries that were kept of a task, as `rendering.plain` makes them, in their order."""
        query = "SELECT content FROM summaries WHERE task = ? ORDER BY rowid"
        return [json.loads(content) for (content,) in self._database.rows(query, (task,))]

    def keep(self, task: str, made: Iterable[Summary]) -> None:
        """Keep summaries; one of a phase that is kept already is replaced."""
        with self._database.writing() as connection:
            _keep(connection, task, made)

    def dropped(self, savepoints: Iterable[str]) -> None:
        """Savepoints are gone: no task has one of them any more."""
        with self._database.writing() as connection:
            rows = [(name,) for name in savepoints]
            connection.executemany("UPDATE tasks SET savepoint = '' WHERE savepoint = ?", rows)

    def announced(self) -> frozenset[str]:
        """The tasks that a person was told of."""
        return frozenset(name for (name,) in self._database.rows("SELECT id FROM tasks WHERE announced"))

    def announce(self, task: str) -> bool:
        """A person is to be told of a task: whether nobody has told them yet, in whatever window."""
        with self._database.writing() as connection:
            done = connection.execute(
                "UPDATE tasks SET announced = 1 WHERE id = ? AND NOT announced", (task,)
            )
            return done.rowcount == 1

    def carry_out(self, verdict: Verdict, made: Mapping[str, Sequence[Summary]], now: datetime) -> None:
        """Do what retention says, with the summaries of the tasks that lose their events. All or nothing."""
        with self._database.writing() as connection:
            for task in verdict.abandon:
                connection.execute(
                    "UPDATE tasks SET outcome = ?, ended_at = ? WHERE id = ?",
                    (str(TaskOutcome.ABANDONED), _text(now), task),
                )
            for task in (*verdict.abandon, *verdict.evict):
                _keep(connection, task, made.get(task, ()))
                connection.execute("DELETE FROM events WHERE task = ?", (task,))
            for task in verdict.forget:
                connection.execute("DELETE FROM tasks WHERE id = ?", (task,))

    def _tasks(self, where: str, values: Sequence[object]) -> list[Task]:
        return [_task(row) for row in self._database.rows(f"SELECT {_COLUMNS} FROM tasks {where}", values)]


def _append(connection: sqlite3.Connection, task: str, events: Iterable[Event]) -> None:
    rows = [(task, _text(e.at), str(e.kind), json.dumps(dict(e.detail), sort_keys=True)) for e in events]
    connection.executemany("INSERT INTO events (task, at, kind, detail) VALUES (?, ?, ?, ?)", rows)


def _keep(connection: sqlite3.Connection, task: str, made: Iterable[Summary]) -> None:
    rows = [(task, str(summary.phase), json.dumps(plain(summary), sort_keys=True)) for summary in made]
    connection.executemany("INSERT OR REPLACE INTO summaries (task, phase, content) VALUES (?, ?, ?)", rows)


def _row(task: Task) -> tuple[str | None, ...]:
    ended = None if task.ended_at is None else _text(task.ended_at)
    used = _text(task.last_access or task.started_at)
    started = _text(task.started_at)
    return (
        task.id,
        task.description,
        str(task.tier),
        task.tier_reason,
        task.branch,
        str(task.outcome),
        started,
        ended,
        used,
        task.savepoint,
    )


def _task(row: tuple[Any, ...]) -> Task:
    name, description, tier, reason, branch, outcome, started, ended, used, savepoint = row
    made = Task(name, description, Tier(tier), reason, _time(started), branch, TaskOutcome(outcome))
    ended_at = _time(ended) if ended else None
    return replace(made, ended_at=ended_at, last_access=_time(used), savepoint=savepoint)


def _text(at: datetime) -> str:
    """Sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
