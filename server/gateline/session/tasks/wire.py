"""Tasks, savepoints and scores as they are sent."""

from __future__ import annotations

from gateline.protocol.status import ScoreEntry
from gateline.protocol.tasks import (
    EventResult,
    LeftWork,
    RestoreResult,
    SavepointResult,
    ShowTaskResult,
    StepResult,
    TaskResult,
    TodoResult,
    UncoveredResult,
)
from gateline.session.tasks.recording.rollback import Rollback
from gateline.session.tasks.summing import TaskLog
from gateline.store.savepoints.values import Savepoint
from gateline.worklog.detection import notice, restore_command
from gateline.worklog.rendering import timestamp
from gateline.worklog.scored import Scored
from gateline.worklog.summary import todos_of
from gateline.worklog.task import Task
from gateline.worklog.tokens import Handed


def task_result(task: Task) -> TaskResult:
    """A task."""
    return TaskResult(
        id=task.id,
        description=task.description,
        tier=task.tier,
        tier_reason=task.tier_reason,
        branch=task.branch,
        outcome=task.outcome,
        started_at=timestamp(task.started_at),
        ended_at=timestamp(task.ended_at) if task.ended_at else None,
        savepoint=task.savepoint,
    )


def show_result(log: TaskLog, page: Handed) -> ShowTaskResult:
    """A task with what was recorded of it."""
    return ShowTaskResult(
        task=task_result(log.task),
        todos=tuple(
            TodoResult.model_validate({"text": text, "state": state})
            for text, state in todos_of(log.events).items()
        ),
        events=tuple(
            EventResult(timestamp=timestamp(event.at), kind=event.kind, detail=dict(event.detail))
            for event in log.events
        ),
        summaries=tuple(dict(summary) for summary in log.summaries),
        page=page.text,
        warning=page.warning,
    )


def left_work(task: Task) -> LeftWork:
    """Work that was left."""
    return LeftWork(task=task_result(task), message=notice(task), restore=restore_command(task))


def savepoint_result(savepoint: Savepoint) -> SavepointResult:
    """A savepoint."""
    return SavepointResult(
        id=savepoint.id,
        timestamp=timestamp(savepoint.at),
        label=savepoint.label,
        uncovered=_uncovered(savepoint),
    )


def _uncovered(savepoint: Savepoint) -> tuple[UncoveredResult, ...]:
    return tuple(UncoveredResult(path=row.path, reason=row.reason) for row in savepoint.uncovered)


def restore_result(made: Rollback, *, applied: bool) -> RestoreResult:
    """What became of a restore."""
    return RestoreResult(
        applied=applied,
        savepoint=made.target.id,
        now=made.now.id,
        steps=tuple(
            StepResult(path=step.path, action=step.action, conflict=step.conflict) for step in made.steps
        ),
        uncovered=_uncovered(made.target),
    )


def score_entry(scored: Scored) -> ScoreEntry:
    """A point of a plot."""
    return ScoreEntry(
        timestamp=timestamp(scored.at),
        task=scored.task,
        branch=scored.branch,
        level=scored.level,
        progress=scored.progress,
        decision=scored.outcome,
        score=scored.score,
        evidence=scored.evidence,
        parts=dict(scored.parts),
    )
