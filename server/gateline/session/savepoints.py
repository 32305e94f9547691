"""Savepoints of a workspace, as the doors to a session use them."""

from __future__ import annotations

from pathlib import Path

from gateline.store.folders import state_of
from gateline.store.savepoints.restoring import Restored, Restoring
from gateline.store.savepoints.shadow import work_tree_of
from gateline.store.savepoints.taking import LARGEST, Savepoints


def savepoints_of(root: Path, folder: Path | None = None, largest: int = LARGEST) -> Savepoints:
    """The savepoints of the repository around `root`. `folder` takes the place of the user's state folder.

    `largest`: bytes of a file at most. Blocks. Raises SavepointError.
    """
    top = work_tree_of(root)
    return Savepoints(top, state_of(top, folder), largest)


def recovered(savepoints: Savepoints) -> Restored | None:
    """Undo a restore that was killed; None when there was none. Blocks. Raises SavepointError."""
    return Restoring(savepoints).recover()
