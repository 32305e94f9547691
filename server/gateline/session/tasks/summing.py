"""The summaries of tasks: made of their events, and kept where these go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gateline.store.worklogs import Worklogs
from gateline.worklog.rendering import Checkpoint, checkpoints_of, plain
from gateline.worklog.scored import Scored
from gateline.worklog.summary import Closing, Summary, evicted, summaries, todos_of
from gateline.worklog.task import Event, EventKind, Phase, Task, TaskOutcome

_TODOS = (("done", "todos_completed"), ("open", "todos_remaining"))
"""The states of todos, and where a summary has them."""


@dataclass(frozen=True)
class TaskLog:
    """A task with what was recorded of it."""

    task: Task
    events: Sequence[Event]
    summaries: Sequence[dict[str, Any]]
    """As `rendering.plain` makes them."""


class Summaries:
    """Of the tasks of one workspace. Methods block, and raise StoreError.

    A task that is evicted loses its events and goes on: what was made of them stays as it is, and what comes
    after is summed up beside it.
    """

    def __init__(self, worklogs: Worklogs) -> None:
        self._worklogs = worklogs

    def log(self, task: Task) -> TaskLog:
        """What was recorded of a task; of events that were deleted the summaries that were kept."""
        events = self._worklogs.events(task.id)
        kept = self._frozen(task) if events else self._worklogs.summaries(task.id)
        made = _besides(kept, summaries(task, events)) if events else []
        return TaskLog(task, events, [*kept, *map(plain, made)])

    def checkpoints(self, log: TaskLog, scores: Iterable[Scored]) -> list[Checkpoint]:
        """Those among the events of a task, and of events that are gone what its scores remember."""
        begin = min((event.at for event in log.events), default=None)
        before = (one for one in scores if begin is None or one.at < begin)
        told = [(one.at, one.level, one.outcome, one.score) for one in before]
        return [*told, *checkpoints_of(log.events)]

    def todos(self, task: Task) -> dict[str, str]:
        """`open` or `done` by text, in the order in which they came."""
        newest = self._frozen(task)[-1:]
        before = {text: state for one in newest for state, name in _TODOS for text in one[name]}
        return before | todos_of(self._worklogs.events(task.id, EventKind.TODO))

    def phases(self, task: Task) -> frozenset[str]:
        """The phases that a task has behind it."""
        return self._reached(task) | {one["phase"] for one in self._frozen(task)}

    def keep(self, task: Task) -> None:
        """Keep what can be made of the events that there are."""
        made = summaries(task, self._worklogs.events(task.id))
        self._worklogs.keep(task.id, _besides(self._frozen(task), made))

    def abandoned(self, task: Task) -> list[Summary]:
        """What is to be kept of a task that nobody goes on with, before its events are deleted."""
        ended = replace(task, outcome=TaskOutcome.ABANDONED)
        return _besides(self._frozen(task), summaries(ended, self._worklogs.events(task.id)))

    def evicted(self, task: Task) -> list[Summary]:
        """What is to be kept of a task that goes on, before its events are deleted."""
        frozen = self._frozen(task)
        before = sum(one["phase"].startswith(Closing.EVICTED) for one in frozen)
        name = f"{Closing.EVICTED} {before + 1}" if before else str(Closing.EVICTED)
        return _besides(frozen, evicted(task, self._worklogs.events(task.id), name))

    def _frozen(self, task: Task) -> list[dict[str, Any]]:
        """The summaries of events that went while a task was in progress; none of any other task."""
        kept = self._worklogs.summaries(task.id)
        last = max((n for n, one in enumerate(kept) if one["phase"].startswith(Closing.EVICTED)), default=-1)
        gone = frozenset(Phase) - self._reached(task)
        return [one for n, one in enumerate(kept) if n <= last or one["phase"] in gone]

    def _reached(self, task: Task) -> frozenset[str]:
        return frozenset(event.text("phase") for event in self._worklogs.events(task.id, EventKind.PHASE))


def _besides(kept: Iterable[dict[str, Any]], made: Iterable[Summary]) -> list[Summary]:
    """Those of the summaries whose phase has none yet."""
    known = {one["phase"] for one in kept}
    return [summary for summary in made if summary.phase not in known]
