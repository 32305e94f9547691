"""The task of a branch, for who wants to know no more of tasks: nothing of them is imported."""

from __future__ import annotations

from gateline.store.database import Database


def task_of(database: Database, branch: str) -> str:
    """The newest task of a branch that is in progress; empty when there is none. Raises StoreError."""
    query = (
        "SELECT id FROM tasks WHERE outcome = 'in_progress' AND branch = ?"
        " ORDER BY started_at DESC, rowid DESC LIMIT 1"
    )
    return next((str(name) for (name,) in database.rows(query, (branch,))), "")
