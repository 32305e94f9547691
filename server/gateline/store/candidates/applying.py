"""Brings a person's files to the content of a tree, where they asked for that.

A file that they edited meanwhile keeps their edits: where both fit together both are in it, else the file
stays as it is and is told as a conflict. A savepoint is taken first, so that all of it can be taken back.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gateline.atomic_file import replace_file
from gateline.store.candidates.merging import merged
from gateline.store.savepoints.permissions import LINK, umask
from gateline.store.savepoints.shadow import Entry, Shadow
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import SavepointError, files_told

_EXECUTABLE = "100755"


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the files in which two trees differ."""

    written: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    """Files with edits of both."""
    conflicts: tuple[str, ...] = ()
    """Files that stay as the person has them, because both changed the same lines."""
    savepoint: str = ""
    """Of the files as they were before; empty where none were written."""


def apply_tree(
    savepoints: Savepoints, before: str, after: str, changed: Sequence[str], label: str
) -> Applied:
    """Write what differs at the paths `changed` between two trees into the work tree. Blocks.

    `label` names the savepoint that is taken first. Raises SavepointError.
    """
    with files_told(), savepoints.restoring():
        taken = savepoints.take(label, datetime.now(UTC))
        shadow = savepoints.shadow
        was, new = (shadow.files_of(tree, changed) for tree in (before, after))
        done: dict[str, list[str]] = {"written": [], "merged": [], "conflicts": []}
        for path in changed:
            kind = _applied(shadow, savepoints.root / path, was.get(path), new.get(path))
            if kind:
                done[kind].append(path)
    is_written = bool(done["written"] or done["merged"])
    kinds = {kind: tuple(paths) for kind, paths in done.items()}
    return Applied(**kinds, savepoint=taken.id if is_written else "")


def _applied(shadow: Shadow, file: Path, was: Entry | None, new: Entry | None) -> str:
    """Bring one file to its new content; whether it was `written`, `merged`, or is in `conflicts`."""
    now = _content(file)
    before, after = (_blob(shadow, entry) for entry in (was, new))
    if now == after and (new is None or new[0] != LINK):
        return ""
    if now == before and LINK not in {entry[0] for entry in (was, new) if entry is not None}:
        _write(file, after, new)
        return "written"
    both = None
    if now is not None and before is not None and after is not None and not file.is_symlink():
        both = merged(now, before, after)
    if both is None:
        return "conflicts"
    _write(file, both, new)
    return "merged"


def _content(file: Path) -> bytes | None:
    """The bytes of a file; None where there is none."""
    if not os.path.lexists(file):
        return None
    return os.fsencode(file.readlink()) if file.is_symlink() else file.read_bytes()


def _blob(shadow: Shadow, entry: Entry | None) -> bytes | None:
    if entry is None:
        return None
    found = shadow.contents([entry[1]])
    if entry[1] not in found:
        raise SavepointError(
            f"content {entry[1]} is missing from {shadow.folder}; run the comparison or the loop again"
        )
    return found[entry[1]]


def _write(file: Path, data: bytes | None, entry: Entry | None) -> None:
    if data is None or entry is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    there = stat.S_IMODE(file.stat().st_mode) if file.exists() else 0o666 & ~umask()
    replace_file(file, data, there)
    file.chmod(there | 0o111 if entry[0] == _EXECUTABLE else there)
