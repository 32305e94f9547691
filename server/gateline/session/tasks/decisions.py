"""Records a decision in the audit trail of its workspace, for a command that judged.

Every command pays for it, also one that is answered from the cache: nothing heavy is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.model.evaluation import Evaluation
from gateline.session.workspace.branch import branch_at
from gateline.store.audit import AuditTrail
from gateline.store.current import task_of
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.decided import Circumstances, entry, repetition

_PATIENCE = 2.0
"""Seconds that a verdict waits for another process that writes."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of the record."""

    task: str = ""
    """The task of the branch that is in progress; empty when there is none."""
    trouble: str = ""
    """Why nothing was recorded; empty when it was."""


def record(root: Path, evaluation: Evaluation, found: Circumstances, folder: Path | None = None) -> Recorded:
    """Record a decision about the workspace at `root`, with the branch and its task.

    `folder` takes the place of the user's state folder. Blocks; never raises: no verdict depends on it.
    """

    def content(branch: str, task: str) -> Mapping[str, object]:
        return entry(evaluation, replace(found, branch=branch, task=task))

    return record_entry(root, content, folder)


def record_entry(
    root: Path, content: Callable[[str, str], Mapping[str, object]], folder: Path | None = None
) -> Recorded:
    """Record what `content` says of a branch and its task, as `record` does. Blocks; never raises.

    What has no `decision` of a recent entry is recorded in full.
    """
    branch = branch_at(root)
    try:
        database = Database(state_of(root, folder) / DATABASE, _PATIENCE)
        try:
            task = task_of(database, branch)
            AuditTrail(database).add_all([(datetime.now(UTC), content(branch, task))], repetition)
        finally:
            database.close()
    except (StoreError, OSError) as error:
        return Recorded(trouble=f"the decision is not in the audit trail: {error}")
    if database.set_aside is not None:
        moved = f"the audit trail was damaged and was moved to {database.set_aside}"
        return Recorded(task, f"{moved}; a new trail was started")
    return Recorded(task)
