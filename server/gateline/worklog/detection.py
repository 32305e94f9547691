"""Work that was left: which task is announced when a workspace opens, and how."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC

from gateline.worklog.task import Task, TaskOutcome, Tier

_SEEKING = (Tier.STRICT, Tier.STANDARD)
_NOTHING = "nothing, it has no savepoint"
_LEFT = (TaskOutcome.ABANDONED, TaskOutcome.IN_PROGRESS)


def looks(tier: Tier) -> bool:
    """Whether earlier work is looked for at all when a change of this tier is begun."""
    return tier in _SEEKING


def is_left(task: Task) -> bool:
    """Whether a task was neither completed nor is forgotten."""
    return task.outcome in _LEFT


def left_work(newest: Iterable[Task], told: Collection[str], current: str = "") -> Task | None:
    """The newest task that was left; None when there is none, or it was announced already.

    `newest` come newest first, `current` is the task that is being worked on.
    """
    left = next((task for task in newest if is_left(task) and task.id != current), None)
    return left if left is not None and left.id not in told else None


def restore_command(task: Task) -> str:
    """What brings the content of the task's newest savepoint back; empty when it has none.

    Files that changed since are kept in a savepoint of then, and the command tells how to take it back.
    """
    return f"gateline restore {task.savepoint} --write" if task.savepoint else ""


def notice(task: Task) -> str:
    """What a person is told."""
    started = task.started_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return (
        f"ℹ️ Previous work detected: {task.description} ({task.outcome})\n"
        f"Session: {task.id} | Started: {started}\n"
        f"To restore: {restore_command(task) or _NOTHING}"
    )
