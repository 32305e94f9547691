"""The metrics of a workspace's tasks and loops: worked out once when they have ended, and kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gateline.refinement.metrics import Baseline, Derived, TaskMetrics, derived, factor, of_loop, of_task
from gateline.session.errors import UsageError
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.store.metrics import MetricsStore
from gateline.store.worklogs import Worklogs
from gateline.worklog.task import TaskOutcome


@dataclass(frozen=True, slots=True)
class Measured:
    """All figures of a workspace."""

    tasks: tuple[TaskMetrics, ...]
    """Newest first."""
    derived: Derived
    baseline: Baseline | None
    factor: float | None


class Metrics:
    """Of one workspace. Methods block, and raise StoreError."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._loops = Loops(database)
        self._worklogs = Worklogs(database)
        self._store = MetricsStore(database)
        self._clock = clock

    def measured(self, task: str = "", against: str = "") -> Measured:
        """The figures of all tasks that have ended, or of one, also of one that goes on.

        `task`: an identifier or how it begins. `against`: the name of a baseline; empty: the newest.
        Raises UsageError for a task or a baseline that there is not.
        """
        self._take_in()
        found = self._store.all()
        if task:
            found = self._named([*self._going_on(), *found], task)
        figures = derived(found)
        baseline = self._baseline(against)
        return Measured(tuple(found), figures, baseline, factor(figures, baseline))

    def record(self, name: str, completed: int | None = None, tasks: int | None = None) -> Baseline:
        """Record a baseline: of the figures of now, or of what another way of working came to.

        Raises UsageError where there is nothing to record.
        """
        if completed is None or tasks is None:
            ended = self.measured().tasks
            completed, tasks = sum(one.completed for one in ended), len(ended)
        if not 0 <= completed <= tasks or not tasks:
            raise UsageError(
                f"a baseline of {completed} of {tasks} tasks is not valid; give --completed and --of"
            )
        made = Baseline(name, completed, tasks, self._clock().astimezone(UTC).isoformat(timespec="seconds"))
        self._store.set_baseline(made)
        return made

    def _take_in(self) -> None:
        """Keep the metrics of what has ended since; tasks whose events were deleted have none to take."""
        known = self._store.known()
        loops = (of_loop(state) for state in self._loops.ended(known))
        self._store.keep([*loops, *self._tasks(known, going_on=False)])

    def _going_on(self) -> list[TaskMetrics]:
        loops = (of_loop(state) for state in self._loops.all() if state.ended is None)
        return [*loops, *self._tasks(going_on=True)]

    def _tasks(self, known: Collection[str] = (), *, going_on: bool) -> Iterator[TaskMetrics]:
        """The metrics of tasks that are not `known`: all events of a task are read."""
        for task in self._worklogs.tasks():
            if task.id in known or (task.outcome is TaskOutcome.IN_PROGRESS) != going_on:
                continue
            if events := self._worklogs.events(task.id):
                yield of_task(task.id, task.started_at, task.ended_at, str(task.outcome), events)

    def _named(self, found: list[TaskMetrics], name: str) -> list[TaskMetrics]:
        exact = [one for one in found if one.id == name] or [o for o in found if o.id.startswith(name)]
        if len(exact) != 1:
            what = f"{len(exact)} tasks begin" if exact else "no task begins"
            raise UsageError(f"{what} with {name!r}; `gateline metrics` shows all")
        return exact

    def _baseline(self, name: str) -> Baseline | None:
        known = self._store.baselines()
        if not name:
            return known[0] if known else None
        found = next((one for one in known if one.name == name), None)
        if found is None:
            names = ", ".join(sorted(one.name for one in known)) or "none"
            raise UsageError(f"there is no baseline {name!r} (there is {names}); record one with --record")
        return found


def keep_metrics(root: Path, folder: Path | None = None) -> str:
    """Keep what is to be known of what has ended; what went wrong, empty when nothing did.

    Blocks; no loop depends on it: who asks for metrics takes in what was not kept.
    """
    try:
        with metrics_of(root, folder) as metrics:
            metrics.measured()
    except StoreError as error:
        return f"metrics were not kept: {error}"
    return ""


@contextmanager
def metrics_of(root: Path, folder: Path | None = None) -> Iterator[Metrics]:
    """The metrics of the workspace at `root`. Raises StoreError."""
    database = Database(state_of(root, folder) / DATABASE)
    try:
        yield Metrics(database)
    finally:
        database.close()
