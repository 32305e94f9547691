"""Writes the result of a loop where a person asked for it: into their files, or to a new branch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from gateline.session.refinement.loop import Refined
from gateline.session.tasks.savepoints import savepoints_here
from gateline.store.candidates.applying import Applied, apply_tree
from gateline.store.savepoints.elsewhere import Elsewhere


@dataclass(frozen=True, slots=True)
class Committed:
    """A branch that holds a result."""

    branch: str
    commit: str


def apply(found: Refined) -> Applied:
    """Write the result into the person's files. Blocks. Raises SavepointError."""
    label = f"before applying refine {found.state.id}"
    savepoints = savepoints_here(found.root)
    return apply_tree(savepoints, found.state.tree, found.tree, found.changed, label)


def to_branch(found: Refined, name: str) -> Committed:
    """Commit the result to a new branch, after the commit that is checked out.

    Blocks. Raises SavepointError.
    """
    savepoints = savepoints_here(found.root)
    label = (found.state.goal or "gateline refine")[:200]
    kept = savepoints.keep(found.tree, label, datetime.now(UTC), found.state.tree)
    return Committed(name, Elsewhere(savepoints).to_branch(kept, name))
