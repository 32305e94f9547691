"""What restoring a savepoint would do to each file, and which it must not touch."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from gateline.git import split
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Action, Plan, Savepoint, Step

_NOTHING = "000000"
_GITLINK = "160000"
_UNRECORDED = "a file is there whose content was not recorded"


def plan(
    savepoints: Savepoints,
    target: Savepoint,
    at: datetime,
    paths: Sequence[str] = (),
    texts: Mapping[str, str] | None = None,
) -> Plan:
    """How to get from now to a savepoint, after a savepoint of now. `paths`: only these, or below them.

    `texts` are unsaved ones, which count as what is there now. Their files are recorded before: another
    program may have written them.
    """
    label = f"before restoring {target.id}"
    if texts:
        savepoints.take(f"{label}, the files", at)
        at += timedelta(microseconds=1)
    now = savepoints.take(label, at, texts)
    only = [f":(literal){path}" for path in paths]
    how = ("-r", "-z", "--raw", "--no-renames")
    raw = savepoints.shadow.run("diff-tree", *how, now.tree, target.tree, "--", *only)
    steps = [step for head, path in _records(split(raw)) if (step := _step(head, path)) is not None]
    ground = _Ground(
        savepoints.root,
        frozenset(row.path for row in now.uncovered),
        frozenset(step.path for step in steps if step.action is Action.DELETE),
    )
    # What goes, goes first: a file may take the place of a folder.
    ordered = sorted(steps, key=lambda step: step.action is not Action.DELETE)
    return Plan(target, now, tuple(replace(step, conflict=ground.conflict(step)) for step in ordered))


def _records(fields: list[str]) -> Iterator[tuple[str, str]]:
    return zip(fields[::2], fields[1::2], strict=True)


def _step(head: str, path: str) -> Step | None:
    was, mode, before, blob, _ = head.lstrip(":").split(" ")
    if _GITLINK in (was, mode):
        return None
    there, will = was != _NOTHING, mode != _NOTHING
    action = Action.CHANGE if there and will else Action.CREATE if will else Action.DELETE
    return Step(path, action, mode if will else "", blob if will else "", before if there else "")


@dataclass(frozen=True)
class _Ground:
    """The work tree, and what of it a plan may touch."""

    root: Path
    uncovered: frozenset[str]
    going: frozenset[str]
    """The files that the plan deletes."""

    def conflict(self, step: Step) -> str:
        """Why a file must be left alone; "" when it need not."""
        file = self.root / step.path
        if step.action is Action.CREATE and (step.path in self.uncovered or self._is_taken(file, step.path)):
            return _UNRECORDED
        parents = [parent.as_posix() for parent in list(Path(step.path).parents)[:-1]]
        return next(filter(None, map(self._blocked, parents)), "")

    def _is_taken(self, file: Path, path: str) -> bool:
        """Whether something is there that the plan does not take away before."""
        if file.is_dir() and not file.is_symlink():
            return not any(gone.startswith(f"{path}/") for gone in self.going)
        return os.path.lexists(file)

    def _blocked(self, parent: str) -> str:
        folder = self.root / parent
        if parent in self.going:
            return ""
        if folder.is_symlink():
            return f"{parent} is a symbolic link"
        return f"{parent} is a file" if folder.exists() and not folder.is_dir() else ""


def blob_of(file: Path, kind: str) -> str:
    """Git's name of what is at a path; empty when nothing is. `kind` is the object format."""
    try:
        found = file.lstat()
        if stat.S_ISLNK(found.st_mode):
            data = os.fsencode(file.readlink())
        elif stat.S_ISREG(found.st_mode):
            data = file.read_bytes()
        else:
            return "?"
    except (FileNotFoundError, NotADirectoryError):
        return ""
    digest = hashlib.new(kind, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()
