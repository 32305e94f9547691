"""Work that was left: which task is announced when a workspace opens, and how."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC

from gateline.worklog.task import Task, TaskOutcome, Tier

NEWEST = 10
"""So many worklogs are looked at."""
_SEEKING = (Tier.STRICT, Tier.STANDARD)
_LEFT = (TaskOutcome.ABANDONED, TaskOutcome.IN_PROGRESS)


def looks(tier: Tier) -> bool:
    """Whether earlier work is looked for at all when a change of this tier is begun."""
    return tier in _SEEKING


def left_work(newest: Iterable[Task], told: Collection[str], current: str = "") -> Task | None:
    """The newest task that was left, of the newest few; None when it was announced already.

    `newest` come newest first, `current` is the task that is being worked on.
    """
    seen = [task for _, task in zip(range(NEWEST), newest, strict=False)]
    left = next((task for task in seen if task.outcome in _LEFT and task.id != current), None)
    return left if left is not None and left.id not in told else None


def notice(task: Task, restore_command: str) -> str:
    """What a person is told."""
    started = task.started_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return (
        f"ℹ️ Previous work detected: {task.description} ({task.outcome})\n"
        f"Session: {task.id} | Started: {started}\n"
        f"To restore: {restore_command}"
    )
