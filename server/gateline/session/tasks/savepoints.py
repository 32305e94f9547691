"""Savepoints of a workspace, as the doors to a session use them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.session.workspace.settings import load_settings
from gateline.store.folders import state_of
from gateline.store.savepoints.shadow import work_tree_of
from gateline.store.savepoints.taking import LARGEST, PATIENCE, Savepoints, journal_in

if TYPE_CHECKING:
    from gateline.store.savepoints.writing import Restored


def savepoints_of(
    root: Path, folder: Path | None = None, largest: int = LARGEST, patience: float = PATIENCE
) -> Savepoints:
    """The savepoints of the repository around `root`. `folder` takes the place of the user's state folder.

    `largest`: bytes of a file at most; `patience`: seconds to wait for another process. Blocks. Raises
    SavepointError.
    """
    top = work_tree_of(root)
    return Savepoints(top, state_of(top, folder), largest, patience)


def savepoints_here(root: Path) -> Savepoints:
    """The same, with files as large as the settings of `root` allow.

    Settings that cannot be read are those of nobody: who broke them must be able to go back.
    """
    settings = load_settings(root, os.environ, {}).settings
    return savepoints_of(root, largest=settings.worklog.largest_file)


def was_cut_short(root: Path, folder: Path | None = None) -> bool:
    """Whether a restore at `root`, or in a folder around it, was killed or is under way. Asks no git."""
    return any(journal_in(state_of(place, folder)).exists() for place in (root, *root.parents))


def recovered(savepoints: Savepoints) -> Restored | None:
    """Undo a restore that was killed; None when there was none. Blocks. Raises SavepointError."""
    from gateline.store.savepoints.restoring import Restoring  # late: hardly any server restores

    return Restoring(savepoints).recover()


@contextmanager
def restoring(savepoints: Savepoints) -> Iterator[Restored | None]:
    """Nobody else restores meanwhile; gives what was undone of a restore that was killed before.

    Its journal would be lost with the next one, or undo later what was restored since. Blocks. Raises
    SavepointError.
    """
    with savepoints.restoring():
        yield recovered(savepoints)
