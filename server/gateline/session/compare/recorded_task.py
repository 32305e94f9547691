"""The recorded task that candidates are solutions of: its goal, its items, and what its plan names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.tasks import has_tasks, tasks_of
from gateline.session.workspace.branch import branch_at
from gateline.store.database import StoreError
from gateline.worklog.task import EventKind

NO_TASK = "none"
"""In place of an identifier: the task in progress is left out."""


@dataclass(frozen=True, slots=True)
class RecordedTask:
    """What was to be done."""

    id: str
    goal: str
    planned: tuple[str, ...] = ()
    """Files or folders that the plan names, from the workspace."""
    items: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The goal with its items, for a model."""
        return "\n".join((self.goal, *(f"- {item}" for item in self.items)))

    def coverage(self, changed: Sequence[str]) -> Mapping[str, bool]:
        """Whether each planned path is among the `changed` ones, or holds one of them."""
        places = {str(place) for path in changed for place in (path, *PurePosixPath(path).parents)}
        return {path: path in places for path in self.planned}


def recorded_task(root: Path, name: str | None) -> RecordedTask | None:
    """The task whose identifier begins with `name`; without a name, that in progress on the branch. Blocks.

    Raises:
        UsageError: none, or several, begin with it.
        UndecidedError: it was named, and the store cannot be read.

    """
    if name == NO_TASK or (name is None and not has_tasks(root)):
        return None
    try:
        with tasks_of(root) as tasks:
            task = tasks.find(name) if name else tasks.current(branch_at(root))
            if task is None:
                return None
            events = (one for one in tasks.events(task) if one.kind is EventKind.PLANNED)
            planned = dict.fromkeys(_plain(path) for one in events for path in one.texts("paths"))
            return RecordedTask(task.id, task.description, tuple(planned), tuple(tasks.todos(task)))
    except UsageError as error:
        raise UsageError(f"--task: {error}; `--task {NO_TASK}` compares without one") from error
    except StoreError as error:
        if name is None:
            # Nobody asked for it: no comparison depends on what is remembered.
            return None
        raise UndecidedError(f"task {name!r} cannot be read: {error}") from error


def _plain(path: str) -> str:
    return str(PurePosixPath(path.replace("\\", "/")))
