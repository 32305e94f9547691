"""The tasks of a workspace: begun, told of, finished and found again."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.model import Change, Evaluation
from gateline.session.errors import UsageError
from gateline.session.tasks.handing import Handing
from gateline.session.tasks.summing import Summaries, TaskLog
from gateline.session.workspace.config_fingerprint import edition
from gateline.settings import Settings, WorklogSettings
from gateline.store.audit import AuditTrail
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.scores import Scores
from gateline.store.worklogs import Worklogs
from gateline.worklog.changed import changed_files
from gateline.worklog.detection import is_left, left_work, looks
from gateline.worklog.rendering import markdown
from gateline.worklog.retention import Limits, Verdict, retention
from gateline.worklog.scored import Regression, regression, scored
from gateline.worklog.summary import DUE, last_good
from gateline.worklog.task import Event, EventKind, Phase, Task, TaskOutcome, Tier
from gateline.worklog.tier import InferredTier, tier_of
from gateline.worklog.tokens import Handed

_SHORT = 6
"""So many letters of an identifier are told apart by chance alone."""

SAID = "said"
"""Why a task has its tier when somebody named it."""

Happened = tuple[EventKind, dict[str, object]]
"""What happened just now: its kind, and its detail."""


def now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class Tasks:
    """The tasks of one workspace. Methods block, and raise StoreError when the store cannot be used."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime] = now, *, batching: bool = True
    ) -> None:
        """`batching`: agents ask for several things at once, and are handed less."""
        self.database = database
        self._worklogs = Worklogs(database)
        self._summaries = Summaries(self._worklogs)
        self._handing = Handing(self._worklogs, batching=batching)
        self.scores = Scores(database)
        self.audit = AuditTrail(database)
        self._clock = clock

    def start(
        self,
        description: str,
        tier: InferredTier,
        branch: str = "",
        *,
        automatic: bool = False,
        commit: str = "",
    ) -> Task:
        """Begin a task; the one of this branch that is in progress goes on beside it.

        `automatic`: nobody asked for it, so that it may also end by itself. `commit`: what is checked out.
        """
        at = self._clock()
        name = f"{at:%Y%m%d}-{secrets.token_hex(_SHORT // 2)}"
        task = Task(name, description, tier.tier, tier.reason, at, branch)
        detail = {"automatic": True} if automatic else {}
        self._worklogs.start(task, {**detail, "commit": commit} if commit else detail)
        return task

    def record(self, task: Task, *events: Happened) -> None:
        """Note what happened just now."""
        at = self._clock()
        self.note(task, (Event(at, kind, detail) for kind, detail in events))

    def note(self, task: Task, events: Iterable[Event]) -> None:
        """Note what happened, when it did."""
        self._worklogs.append(task.id, list(events))

    def is_automatic(self, task: Task) -> bool:
        """Whether nobody asked for a task, nor said since what it is."""
        first = next(iter(self._worklogs.events(task.id, EventKind.STARTED)), None)
        return first is not None and first.detail.get("automatic") is True and task.tier_reason != SAID

    def todos(self, task: Task) -> dict[str, str]:
        """`open` or `done` by text, in the order in which they came."""
        return self._summaries.todos(task)

    def phases(self, task: Task) -> frozenset[str]:
        """The phases that a task has behind it."""
        return self._summaries.phases(task)

    def events(self, task: Task) -> list[Event]:
        """What happened in a task, oldest first."""
        return self._worklogs.events(task.id)

    def log(self, task: Task) -> TaskLog:
        """What was recorded of a task; of events that were deleted the summaries that were kept."""
        return self._summaries.log(task)

    def last_good(self, branch: str) -> str:
        """The newest savepoint of the branch's task at which the score was good; empty when there is none."""
        task = self.current(branch)
        return last_good(self._worklogs.events(task.id, EventKind.SAVEPOINT)) if task else ""

    def judged(self, task: Task, evaluation: Evaluation, settings: Settings) -> Regression | None:
        """Note a checkpoint and its score.

        The answer says whether it is worse than what was accepted last on the branch, by the same settings.
        """
        at = self._clock()
        detail: dict[str, object] = {
            "level": str(evaluation.level),
            "progress": str(evaluation.progress),
            "outcome": str(evaluation.decision.outcome),
            "score": evaluation.score.value,
        }
        self._worklogs.append(task.id, [Event(at, EventKind.CHECKPOINT, detail)])
        now = scored(evaluation, at, task.id, task.branch, edition(settings))
        newest, besides = settings.worklog.regression_of, now.content
        known = self.scores.accepted(task.branch, now.edition, newest=newest, besides=besides)
        self.scores.add(now)
        weights = settings.gates.weights.model_dump()
        return regression(known, now, weights, settings.worklog.regression)

    def kept(self, task: Task, savepoint: str, evaluation: Evaluation) -> None:
        """Note the savepoint of an evaluation, unless it is the task's newest already."""
        if savepoint != task.savepoint:
            level, score = str(evaluation.level), evaluation.score.value
            self.record(task, (EventKind.SAVEPOINT, {"id": savepoint, "level": level, "score": score}))

    def saved(self, branch: str, savepoint: str) -> None:
        """Note a savepoint that somebody asked for, in the task of a branch if one is in progress."""
        if (task := self.current(branch)) is not None:
            self.record(task, (EventKind.SAVEPOINT, {"id": savepoint}))

    def change(self, task: Task, tier: InferredTier | None = None, description: str = "") -> Task:
        """Give a task another tier or description."""
        made = replace(task, description=description or task.description, last_access=self._clock())
        if tier is not None:
            made = replace(made, tier=tier.tier, tier_reason=tier.reason)
        self._worklogs.update(made)
        return made

    def follow(self, task: Task, change: Change, settings: WorklogSettings) -> None:
        """Give a task the tier of a change, unless somebody named one.

        It is no less for a half-typed line, nor when nothing differs any more. One that somebody asked for
        goes on after a commit, where the change begins anew: its tier only rises.
        """
        if task.tier_reason == SAID or not (change.files or change.others):
            return
        if (tier := tier_for(change, settings)).replaces(task.tier, lowers=self.is_automatic(task)):
            self.change(task, tier)

    def finish(self, task: Task, outcome: TaskOutcome = TaskOutcome.COMPLETED) -> Task:
        """End a task. What was completed has all phases behind it, and is summed up at each that is due."""
        if outcome is TaskOutcome.COMPLETED:
            reached = self.phases(task)
            missing = [phase for phase in DUE[task.tier] if phase not in reached]
            self.record(task, *(_phase(phase) for phase in missing))
        self.record(task, (EventKind.FINISHED, {"outcome": str(outcome)}))
        at = self._clock()
        made = replace(task, outcome=outcome, ended_at=at, last_access=at)
        self._worklogs.update(made)
        self._summaries.keep(made)
        return made

    def phase(self, task: Task, phase: Phase, *, summing: bool = True) -> None:
        """A phase of a task is complete. Without `summing` its summary is left for later."""
        self.record(task, _phase(phase))
        if summing:
            self._summaries.keep(task)

    def all(self) -> list[Task]:
        """All tasks, newest first."""
        return self._worklogs.tasks()

    def current(self, branch: str) -> Task | None:
        """The newest task of a branch that is in progress."""
        return self._worklogs.in_progress(branch)

    def find(self, name: str) -> Task:
        """The task whose identifier is or begins with `name`. Raises UsageError for none or several."""
        known = [task for task in self._worklogs.tasks() if task.id.startswith(name)]
        exact = [task for task in known if task.id == name] or known
        if len(exact) != 1:
            what = f"{len(exact)} tasks begin" if exact else "no task begins"
            raise UsageError(f"{what} with {name!r}; `gateline task list` shows all")
        return exact[0]

    def page(self, task: Task, *, bounded: bool = False) -> Handed:
        """What was recorded of a task, as Markdown.

        `bounded`: for a model or an agent. It is no longer than the tier of the task allows, and is counted.
        """
        log = self.log(task)
        text = markdown(task, log.summaries, self._summaries.checkpoints(log, self.scores.of_task(task.id)))
        if not bounded:
            return Handed(text, 0)
        handed = self._handing.within(task, text)
        self.record(task, (EventKind.HANDED, {"tokens": handed.tokens, "operation": "page"}))
        return handed

    def hand(
        self,
        branch: str,
        tokens: int,
        operation: str,
        took: float | None = None,
        paths: Sequence[str] = (),
        *,
        degraded: bool = False,
    ) -> str:
        """Count what a model or an agent is handed in the task of a branch, if one is in progress.

        `took`: milliseconds that it took; `paths`: the files that it shows; `degraded`: a source was
        missing. A warning when the tokens come near the bound of the task, or pass it.
        """
        if (task := self.current(branch)) is None:
            return ""
        detail: dict[str, object] = {"tokens": tokens, "operation": operation}
        if took is not None:
            detail["milliseconds"] = round(took, 1)
        if paths:
            detail["paths"] = list(dict.fromkeys(paths))
        if degraded:
            detail["degraded"] = True
        self.record(task, (EventKind.HANDED, detail))
        return self._handing.warning(task)

    def handed(self, task: Task) -> Mapping[str, int]:
        """How many tokens a task was handed, by operation."""
        return self._handing.handed(task)

    def measure(self, task: Task) -> None:
        """Note what the task was handed so far, beside what its tier allows."""
        detail = {"tokens": dict(self.handed(task)), "bound": self._handing.bound(task)}
        self.record(task, (EventKind.METRICS, detail))

    def mean_handed(self) -> float:
        """How many tokens tasks are handed, over the default distribution of tiers."""
        return self._handing.mean(self.all())

    def to_announce(self, tier: Tier, newest: int, current: str = "", *, again: bool = False) -> Task | None:
        """Work that was left and that nobody was told of, or all the same `again`, among the `newest` tasks.

        Where little is at stake nothing is looked at. Nothing is noted: `announce` does that.
        """
        if not looks(tier):
            return None
        told = frozenset() if again else self._worklogs.announced()
        return left_work(self._worklogs.tasks(newest=newest), told, current)

    def announce(self, task: Task) -> bool:
        """A person is to be told of a task: whether nobody told them yet, in whatever window."""
        return self._worklogs.announce(task.id)

    def left(self, newest: int) -> list[Task]:
        """The work that was left, of the `newest` tasks, newest first."""
        return [task for task in self._worklogs.tasks(newest=newest) if is_left(task)]

    def without(self, savepoints: Iterable[str]) -> None:
        """Savepoints are gone: what brings a task back names none of them any more."""
        self._worklogs.dropped(savepoints)

    def clean(self, limits: Limits | None = None) -> Verdict:
        """Do what retention says."""
        at = self._clock()
        tasks = self._worklogs.tasks()
        verdict = retention(tasks, at, limits or Limits())
        by_id = {task.id: task for task in tasks}
        made = {name: self._summaries.abandoned(by_id[name]) for name in verdict.abandon}
        made |= {name: self._summaries.evicted(by_id[name]) for name in verdict.evict}
        self._worklogs.carry_out(verdict, made, at)
        self.database.shrink()
        return verdict


def said(todos: Iterable[str], done: Iterable[str], plans: Sequence[str]) -> list[Happened]:
    """What somebody says of a task's items and files, as it is recorded."""
    states = [(text, "open") for text in todos] + [(text, "done") for text in done]
    told: list[Happened] = [(EventKind.TODO, {"text": text, "state": state}) for text, state in states]
    if plans:
        told.append((EventKind.PLANNED, {"paths": list(plans)}))
    return told


def _phase(phase: Phase) -> Happened:
    return EventKind.PHASE, {"phase": str(phase)}


def tier_for(change: Change, settings: WorklogSettings | None = None) -> InferredTier:
    """The tier of a change, and why; the settings may name one for some paths."""
    # What reads the settings of other tools is heavy, and few who ask for tasks ask for a tier.
    from gateline.integrity.gate_edits import edits_gate

    said = {} if settings is None else {p: tier for tier in Tier for p in getattr(settings, tier.lower())}
    return tier_of(changed_files(change, edits_gate), said)


def has_tasks(root: Path, folder: Path | None = None) -> bool:
    """Whether there ever was a task of the workspace at `root`: looking makes no store."""
    return (state_of(root, folder) / DATABASE).exists()


@contextmanager
def tasks_of(
    root: Path,
    folder: Path | None = None,
    clock: Callable[[], datetime] = now,
    *,
    batching: bool = True,
) -> Iterator[Tasks]:
    """The tasks of the workspace at `root`. `folder` takes the place of the user's state folder."""
    database = Database(state_of(root, folder) / DATABASE)
    try:
        yield Tasks(database, clock, batching=batching)
    finally:
        database.close()
