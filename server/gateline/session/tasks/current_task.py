"""The task that is worked on: that of the branch which is checked out."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline.gates.trajectory import ROLLBACK
from gateline.model import Change, Evaluation, Level
from gateline.model.evaluation import Trajectory
from gateline.session.check import change_of, readable_workspace
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.observed import observed
from gateline.session.tasks.tasks import SAID, Tasks, has_tasks, now, tasks_of, tier_for
from gateline.session.workspace.branch import branch_at
from gateline.session.workspace.changes import Selection
from gateline.session.workspace.config_fingerprint import edition
from gateline.session.workspace.workspace import Workspace
from gateline.settings import WorklogSettings
from gateline.store.database import StoreError
from gateline.worklog.scored import Regression, scored, trajectory
from gateline.worklog.task import Event, EventKind, Task
from gateline.worklog.tier import InferredTier

log = logging.getLogger(__name__)


def branch_of(workspace: Workspace) -> str:
    """The branch that is checked out; empty without git, and for a commit that no branch has."""
    return branch_at(workspace.root) if workspace.git else ""


def commit_of(workspace: Workspace) -> str:
    """The commit that is checked out; empty without git, and before the first."""
    return (workspace.git.commit("HEAD") or "") if workspace.git else ""


def present(start: Path) -> tuple[Workspace, str]:
    """The workspace around a folder, and its branch. Blocks. Raises UsageError."""
    workspace = readable_workspace(start, os.environ)
    return workspace, branch_of(workspace)


def change_now(workspace: Workspace) -> Change:
    """What differs from the base now. Blocks. Raises UsageError and UndecidedError."""
    return change_of(workspace, Selection())[1]


def wanted(tasks: Tasks, name: str, branch: str, *, ended: bool = False) -> Task:
    """The task of this name; without one, that of the branch. Raises UsageError when there is none.

    `ended`: when none is in progress, the newest that is not.
    """
    if name:
        return tasks.find(name)
    others = (task for task in tasks.all() if ended and task.branch == branch)
    task = tasks.current(branch) or next(others, None)
    if task is None:
        where = f"branch {branch}" if branch else "what is checked out"
        raise UsageError(f'no task of {where} is in progress: `gateline task start "GOAL"` starts one')
    return task


def tier_now(workspace: Workspace) -> InferredTier:
    """The tier of what differs from the base now. Blocks. Raises UsageError and UndecidedError."""
    return tier_for(change_now(workspace), workspace.loaded.settings.worklog)


@dataclass(frozen=True, slots=True)
class Before:
    """What the work before tells of a verdict."""

    regression: Regression | None = None
    """What is worse than what was accepted last."""
    trajectory: Trajectory | None = None
    """At middle: how the score moved since early."""
    savepoint: str = ""
    """Where a rollback would go, if one is advised; empty when nothing is kept."""
    worklog: WorklogSettings | None = None
    """What is remembered; None without a task."""


def remember(start: Path, evaluation: Evaluation) -> Before:
    """Note an evaluation in the task of the branch, if one is in progress.

    Without a task only the score at early is remembered: middle is compared with it. Blocks; never raises: a
    store that cannot be used is logged, the verdict does not depend on it.
    """
    try:
        workspace, branch = present(start)
        if not (has_tasks(workspace.root) or _is_kept_alone(evaluation, workspace)):
            return Before()
        with tasks_of(workspace.root) as tasks:
            # By what judged it: a change that edits the settings is compared with itself all the same.
            return _remembered(tasks, branch, workspace.in_force(), evaluation)
    except (StoreError, UsageError, UndecidedError) as error:
        log.warning("the checkpoint was not recorded: %s", error)
    return Before()


def saved(root: Path, savepoint: str) -> None:
    """Note a savepoint that a person took in the task of the branch, if one is in progress: it is its newest.

    `root` is the workspace's. Blocks; never raises: the savepoint is there whatever comes of it.
    """
    if not has_tasks(root):
        return
    try:
        with tasks_of(root) as tasks:
            task = tasks.current(branch_at(root))
            if task is not None:
                tasks.record(task, (EventKind.SAVEPOINT, {"id": savepoint}))
    except StoreError as error:
        log.warning("the task does not know of the savepoint: %s", error)


def _remembered(tasks: Tasks, branch: str, workspace: Workspace, evaluation: Evaluation) -> Before:
    settings, task = workspace.loaded.settings, tasks.current(branch)
    current = scored(evaluation, now(), task.id if task else "", branch, edition(settings))
    early = tasks.scores.early(current) if evaluation.level is Level.MIDDLE else None
    moved = trajectory(early, evaluation) if early else None
    last_good = tasks.last_good(branch) if moved and moved.advice == ROLLBACK else ""
    if task is not None:
        worse = _noted(tasks, task, workspace, evaluation)
        return Before(worse, moved, last_good, settings.worklog)
    if _is_kept_alone(evaluation, workspace):
        tasks.scores.add(current)
    return Before(None, moved, last_good)


def _is_kept_alone(evaluation: Evaluation, workspace: Workspace) -> bool:
    """Whether a score is remembered where no task is in progress."""
    enabled = workspace.loaded.settings.worklog.enabled
    return enabled and evaluation.changed and evaluation.level is Level.EARLY


def _events(tasks: Tasks, task: Task) -> tuple[Sequence[Event], Sequence[Event]]:
    """The events of a task, and of the one before it on its branch."""
    before = (one for one in tasks.all() if one.branch == task.branch and one.started_at < task.started_at)
    earlier = next(before, None)
    return tasks.events(task), tasks.events(earlier) if earlier else ()


def _noted(tasks: Tasks, task: Task, workspace: Workspace, evaluation: Evaluation) -> Regression | None:
    settings = workspace.loaded.settings
    tasks.record(task, *observed(workspace, evaluation, *_events(tasks, task)))
    if task.tier_reason != SAID:
        tasks.follow(task, change_now(workspace), settings.worklog)
    return tasks.judged(task, evaluation, settings)
