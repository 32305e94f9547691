"""Tasks and events to be stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from gateline.worklog.task import Event, EventKind, Task, Tier

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def task(name: str, hours: float = 0, **other: object) -> Task:
    made = Task(
        name, f"Task {name}", Tier.STANDARD, "30 changed lines in 2 files", NOON - timedelta(hours=hours)
    )
    return replace(made, **other)  # type: ignore[arg-type]


def edited(path: str, minute: int = 1) -> Event:
    return Event(NOON + timedelta(minutes=minute), EventKind.EDITED, {"path": path})
