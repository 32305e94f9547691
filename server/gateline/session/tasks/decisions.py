"""Records a decision in the audit trail of its workspace, for a command that judged.

Every command pays for it, also one that is answered from the cache: nothing heavy is imported.
"""

from __future__ import annotations

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
    branch = branch_at(root)
    try:
        database = Database(state_of(root, folder) / DATABASE, _PATIENCE)
        try:
            known = replace(found, branch=branch, task=task_of(database, branch))
            now = datetime.now(UTC)
            AuditTrail(database).add_all([(now, entry(evaluation, known))], repetition)
        finally:
            database.close()
    except (StoreError, OSError) as error:
        return Recorded(trouble=f"the decision is not in the audit trail: {error}")
    if database.set_aside is not None:
        moved = f"the audit trail was damaged and was moved to {database.set_aside}"
        return Recorded(known.task, f"{moved}; a new trail was started")
    return Recorded(known.task)
