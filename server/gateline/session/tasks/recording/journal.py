"""The blocking side of recording: what happened goes into the task of the branch. One thread uses it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from gateline.model import Change, Evaluation, Level
from gateline.session.tasks.check_savepoint import label_of
from gateline.session.tasks.recording.head import Head, Heads, moves
from gateline.session.tasks.recording.items import LISTS, items_in
from gateline.session.tasks.recording.texts import unsaved
from gateline.session.tasks.savepoints import recovered, savepoints_of, was_cut_short
from gateline.session.tasks.tasks import Tasks, has_tasks, now, tier_for
from gateline.session.workspace.git import Git
from gateline.settings import Settings
from gateline.store.database import Database
from gateline.store.folders import DATABASE, LEASE, state_of
from gateline.store.lease import Lease
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import SavepointError
from gateline.worklog.decided import Circumstances, entry, repetition
from gateline.worklog.scored import ACCEPTED, Regression
from gateline.worklog.task import CHANGING, Event, EventKind, Phase, Task, TaskOutcome
from gateline.worklog.time_limits import Operation, PhaseTime, skipped

log = logging.getLogger(__name__)

_DEFAULT_BRANCHES = ("", "main", "master", "develop", "trunk")
"""A task on one of them is named from what is edited first."""
ALLOWED = 0.5
"""Seconds for one batch: after one that took most of it, the next leaves out what is optional."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Batch:
    """What happened since the last one."""

    events: tuple[Event, ...] = ()
    judged: tuple[Evaluation, ...] = ()
    """The newest at each checkpoint."""
    change: Change | None = None
    """What differs from the base now; None: nobody knows."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The open texts, saved or not."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a task stands after a batch."""

    task: Task | None = None
    done: int = 0
    """Of the items of its list."""
    of: int = 0
    regression: Regression | None = None


class Journal:
    """Writes for one workspace. Methods raise StoreError, and `keep` SavepointError."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        git: Git | None,
        *,
        folder: Path | None = None,
        clock: Callable[[], datetime] = now,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.root = root
        self.settings = settings
        self._folder = folder
        self._clock = clock
        self._timer = timer
        self._heads = Heads(git)
        self._lease = Lease(state_of(root, folder) / LEASE)
        self._tasks: Tasks | None = None
        self._savepoints: Savepoints | None = None
        self._last = PhaseTime()
        self._committed = ""
        """The task in which there was a commit."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever recorded here."""
        return not has_tasks(self.root, self._folder)

    def now(self) -> datetime:
        """The time, as events have it."""
        return self._clock()

    def leads(self) -> bool:
        """Whether this process is the one that does what must not be done twice."""
        self._lease.file.parent.mkdir(parents=True, exist_ok=True)
        return self._lease.take()

    def ask(self, question: Callable[[Tasks, str], T]) -> T:
        """What a question to the tasks, on the branch that is checked out, answers."""
        return question(self._opened(), self._heads.look().branch)

    @property
    def commit(self) -> str:
        """The commit that is checked out; empty before the first."""
        return self._heads.look().commit

    def standing(self) -> Standing:
        """How the task of the branch stands."""
        return self.ask(lambda tasks, branch: _standing(tasks, tasks.current(branch)))

    def write(self, batch: Batch) -> Standing:
        """Record what happened; begin a task where a change begins."""
        began = self._timer()
        tasks, leads = self._opened(), self.leads()
        before, head = self._heads.now, self._heads.look()
        moved = list(moves(before, head)) if before != Head() and leads else []
        events = _kept(batch, leads=leads and not moved)
        task = tasks.current(head.branch)
        if task is None:
            events = (*events, *self._untold(batch))
            task = self._begun(tasks, head, events, batch.change)
        worse = None
        if task is not None:
            tasks.note(task, [*events, *(Event(self._clock(), kind, detail) for kind, detail in moved)])
            tasks.note(task, self._listed(tasks, task, events))
            worse = self._judged(tasks, task, batch)
            self._committed = task.id if moved else self._committed
            task = self._ended(tasks, task, batch.change)
        self._last = PhaseTime(self._timer() - began, ALLOWED)
        return _standing(tasks, task, worse)

    def decide(self, decisions: Sequence[tuple[datetime, Evaluation]]) -> None:
        """Record decisions in the audit trail, with the branch and its task."""
        tasks, branch = self._opened(), self._heads.look().branch
        task = tasks.current(branch)
        found = Circumstances("editor", branch=branch, task=task.id if task else "")
        tasks.audit.add_all([(at, entry(evaluation, found)) for at, evaluation in decisions], repetition)

    def keep(self, evaluation: Evaluation, open_texts: Mapping[str, str]) -> str:
        """A savepoint of what was judged; empty when no task is in progress."""
        tasks = self._opened()
        task = tasks.current(self._heads.look().branch)
        if task is None:
            return ""
        savepoints = self.savepoints()
        texts = unsaved(self.root, savepoints.root, open_texts)
        made = savepoints.take(label_of(evaluation), self._clock(), texts)
        tasks.kept(task, made.id, evaluation)
        return made.id

    def savepoints(self) -> Savepoints:
        """The savepoints of the workspace."""
        if self._savepoints is None:
            largest = self.settings.worklog.largest_file
            self._savepoints = savepoints_of(self.root, self._folder, largest)
        return self._savepoints

    def close(self) -> None:
        """Lead no longer, and close the store."""
        self._lease.give_back()
        if self._tasks is not None:
            self._tasks.database.close()
            self._tasks = None

    def _opened(self) -> Tasks:
        if self._tasks is None:
            database = Database(state_of(self.root, self._folder) / DATABASE)
            self._tasks = Tasks(database, self._clock, batching=self.settings.worklog.batching)
            self._heads.look()
            self._undo_half_restored()
        return self._tasks

    def _undo_half_restored(self) -> None:
        """Put back what a restore in the shell had done when it was killed."""
        if not was_cut_short(self.root, self._folder):
            return
        try:
            if recovered(self.savepoints()) is not None:
                log.warning("an interrupted restore was undone: the files are as they were before it")
        except SavepointError as error:
            log.warning("an interrupted restore cannot be undone: %s", error)

    def _untold(self, batch: Batch) -> tuple[Event, ...]:
        """What was typed before there was a server: a verdict comes, and nobody was told of an edit."""
        if not batch.judged or any(event.kind in CHANGING for event in batch.events):
            return ()
        typed = unsaved(self.root, self.root, batch.texts)
        return tuple(Event(self._clock(), EventKind.EDITED, {"path": path}) for path in typed)

    def _begun(self, tasks: Tasks, head: Head, events: Sequence[Event], change: Change | None) -> Task | None:
        first = next((event for event in events if event.kind in CHANGING), None)
        if first is None or change is None or not (change.files or change.others):
            return None
        name = f"Edit {first.text('path')}" if head.branch in _DEFAULT_BRANCHES else head.branch
        tier = tier_for(change, self.settings.worklog)
        task = tasks.start(name, tier, head.branch, automatic=True, commit=head.commit)
        tasks.note(task, self._listed(tasks, task))
        return task

    def _listed(self, tasks: Tasks, task: Task, events: Sequence[Event] | None = None) -> Iterator[Event]:
        """What a task list in the workspace says that was not recorded yet; looked at when it was written."""
        listed = items_in(self.root, None if events is None else {e.text("path") for e in events})
        known = tasks.todos(task) if listed else {}
        for text, state in listed.items():
            if known.get(text) != state:
                yield Event(self._clock(), EventKind.TODO, {"text": text, "state": state})

    def _judged(self, tasks: Tasks, task: Task, batch: Batch) -> Regression | None:
        worse = None
        for evaluation in batch.judged:
            worse = tasks.judged(task, evaluation, self.settings)
        known = tasks.phases(task)
        reached = [phase for phase in dict.fromkeys(_reached(batch)) if phase not in known]
        hurried = self._hurried() if batch.judged or reached else {}
        for operation, reason in hurried.items():
            tasks.record(task, (EventKind.SKIPPED, {"operation": str(operation), "reason": reason}))
        for phase in reached:
            tasks.phase(task, phase, summing=Operation.CHECKPOINT_SUMMARY not in hurried)
        if reached and Operation.METRICS_LOG not in hurried:
            tasks.measure(task)
        if batch.judged and batch.change is not None and Operation.SUMMARY_UPDATE not in hurried:
            tasks.follow(task, batch.change, self.settings.worklog)
        return worse

    def _hurried(self) -> dict[Operation, str]:
        """What there is no time for, and why."""
        share = self.settings.worklog.skip_from
        found = {operation: skipped(operation, self._last, share) for operation in Operation}
        return {operation: reason for operation, reason in found.items() if reason}

    def _ended(self, tasks: Tasks, task: Task, change: Change | None) -> Task | None:
        """A task that began by itself ends when, after a commit, nothing differs any more."""
        nothing_left = change is not None and not (change.files or change.others)
        if nothing_left and self._committed == task.id and tasks.is_automatic(task):
            tasks.finish(task, TaskOutcome.COMPLETED)
            return None
        return tasks.current(task.branch)


def _standing(tasks: Tasks, task: Task | None, worse: Regression | None = None) -> Standing:
    if task is None:
        return Standing(regression=worse)
    states = tasks.todos(task).values()
    return Standing(task, sum(state == "done" for state in states), len(states), worse)


def _kept(batch: Batch, *, leads: bool) -> tuple[Event, ...]:
    """What other programs wrote is noted by one of several servers, and not where git wrote it.

    Files that are no part of the change (ignored, in an environment) are nobody's work.
    """
    rows = () if batch.change is None else (*batch.change.files, *batch.change.others)
    ours = {*LISTS, *(row.path for row in rows)}
    return tuple(
        event
        for event in batch.events
        if event.kind is not EventKind.EXTERNAL_EDIT or (leads and event.text("path") in ours)
    )


def _reached(batch: Batch) -> Iterator[Phase]:
    if any(event.kind in CHANGING for event in batch.events):
        yield Phase.PLANNING_COMPLETE
    for evaluation in batch.judged:
        if evaluation.level is Level.FINAL:
            yield Phase.EXECUTION_COMPLETE
            if evaluation.decision.outcome in ACCEPTED:
                yield Phase.VERIFICATION_COMPLETE
