"""Which worklogs are kept: pure rules over what the store has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gateline.worklog.task import Task, TaskOutcome


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how many; each is a setting."""

    abandoned_after: timedelta = timedelta(hours=24)
    """So long after it was started, work in progress is abandoned."""
    summaries_for: timedelta = timedelta(days=30)
    active: int = 50
    """So many tasks keep their events."""
    warn_from: int = 40


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done at the start of a session."""

    abandon: tuple[str, ...] = ()
    """Tasks that become abandoned: summed up, then their events are deleted."""
    evict: tuple[str, ...] = ()
    """Tasks that lose their events and keep their summary, least recently used first."""
    forget: tuple[str, ...] = ()
    """Tasks whose summary is deleted as well."""
    warning: str = ""


def retention(tasks: Iterable[Task], now: datetime, limits: Limits = Limits()) -> Verdict:
    """What is to be done about all tasks of a workspace."""
    known = sorted(tasks, key=_used)
    forget = [task.id for task in known if task.ended_at and now - task.ended_at > limits.summaries_for]
    left = [task for task in known if task.id not in forget]
    abandon = [task.id for task in left if _is_left_alone(task, now, limits)]
    active = [task for task in left if task.id not in abandon and task.outcome is TaskOutcome.IN_PROGRESS]
    evict = [task.id for task in active[: max(0, len(active) - limits.active)]]
    return Verdict(tuple(abandon), tuple(evict), tuple(forget), _warning(active, limits))


def _is_left_alone(task: Task, now: datetime, limits: Limits) -> bool:
    return task.outcome is TaskOutcome.IN_PROGRESS and now - task.started_at > limits.abandoned_after


def _warning(active: Sequence[Task], limits: Limits) -> str:
    if len(active) < limits.warn_from:
        return ""
    return f"{len(active)} tasks are in progress; over {limits.active}, the longest unused lose their events"


def _used(task: Task) -> datetime:
    return task.last_access or task.started_at
