"""A task's summaries for people, as Markdown, and for programs, as plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from gateline.worklog.summary import Summary
from gateline.worklog.task import Event, EventKind, Task

Checkpoint = tuple[datetime, str, str, float | None]
"""When, at which level, what was decided, and the score."""


def timestamp(at: datetime) -> str:
    """UTC, as ISO 8601."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def plain(summary: Summary) -> dict[str, object]:
    """A summary of values that JSON has."""
    checked = summary.verification
    return {
        "phase": str(summary.phase),
        "timestamp": timestamp(summary.timestamp),
        "operations": dict(summary.operations),
        "files_modified": list(summary.files_modified),
        "todos_completed": list(summary.todos_completed),
        "todos_remaining": list(summary.todos_remaining),
        "deviations": [
            {"type": str(d.kind), "severity": str(d.severity), "detail": d.detail} for d in summary.deviations
        ],
        "verification": {"passed": checked.passed, "failed": checked.failed, "skipped": checked.skipped},
    }


def markdown(task: Task, made: Iterable[Mapping[str, Any]], checkpoints: Iterable[Checkpoint] = ()) -> str:
    """A task with its summaries, as `plain` makes them, and its checkpoints, as a page."""
    state = f"{task.tier} ({task.tier_reason}), {task.outcome}, started {timestamp(task.started_at)}"
    head = f"# {task.description}\n\n{state}"
    judged = [_checkpoint(*row) for row in checkpoints]
    return "\n\n".join(filter(None, [head, _list("Checkpoints", judged), *map(_section, made)])) + "\n"


def checkpoints_of(events: Iterable[Event]) -> list[Checkpoint]:
    """The checkpoints among some events."""
    return [
        (event.at, event.text("level"), event.text("outcome"), _score(event.detail.get("score")))
        for event in events
        if event.kind is EventKind.CHECKPOINT
    ]


def _score(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _checkpoint(at: datetime, level: str, outcome: str, score: float | None) -> str:
    said = "no score" if score is None else f"score {score}"
    return f"{timestamp(at)} {level}: {outcome}, {said}"


def _section(summary: Mapping[str, Any]) -> str:
    operations = ", ".join(f"{count} × {name}" for name, count in summary["operations"].items())
    deviations = [f"{row['severity']}: {row['type']} – {row['detail']}" for row in summary["deviations"]]
    rows = [
        f"## {summary['phase'].replace('_', ' ').capitalize()}",
        summary["timestamp"],
        _list("Operations", [operations] if operations else []),
        _list("Files", summary["files_modified"]),
        _list("Done", summary["todos_completed"]),
        _list("Left", summary["todos_remaining"]),
        _list("Deviations", deviations),
        _tests(summary["verification"]),
    ]
    return "\n\n".join(filter(None, rows))


def _tests(checked: Mapping[str, int]) -> str:
    if not any(checked.values()):
        return "No tests were run"
    return f"Tests: {checked['passed']} passed, {checked['failed']} failed, {checked['skipped']} skipped"


def _list(title: str, rows: Iterable[str]) -> str:
    lines = "\n".join(f"- {row}" for row in rows)
    return f"{title}:\n\n{lines}" if lines else ""
