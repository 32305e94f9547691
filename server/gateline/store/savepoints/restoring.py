"""Carries out a plan, so that the work tree is as before or as asked.

What is under way stands in a journal. After a kill the next one who comes puts the files back to what they
were before, so that the work tree is either as before or as asked.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from gateline.store.savepoints.permissions import EXECUTABLE, FOLDER, LINK, around, mode_of
from gateline.store.savepoints.planning import blob_of
from gateline.store.savepoints.taking import Savepoints, journal_in
from gateline.store.savepoints.values import Action, Plan, SavepointError, Step
from gateline.store.savepoints.writing import FRESH, OWNER, FullError, Restored, Writing, bits_of, writes

_NOTING = "restoring-"
"""How the name of a journal begins that is not whole yet."""


class Restoring:
    """Restores in place. Methods block and raise SavepointError."""

    def __init__(self, savepoints: Savepoints) -> None:
        self._savepoints = savepoints
        self._root = savepoints.root
        self._journal = journal_in(savepoints.shadow.folder.parent)
        self._kind = savepoints.shadow.line("rev-parse", "--show-object-format")

    def in_place(self, plan: Plan) -> Restored:
        """Change the work tree as planned; files in conflict, or changed since, are left alone.

        Where the disk is full, every file is put back.
        """
        contents = self._contents([step for step in plan.steps if writes(step)])
        with self._savepoints.locked():
            self._note(plan.steps)
            try:
                restored = self._writing(contents, plan.folders).all(plan.steps)
            except FullError as error:
                self._put_back()
                raise SavepointError(f"{error}: all files were restored to their previous state") from None
            self._journal.unlink()
        return restored

    def recover(self) -> Restored | None:
        """Undo a restore that was killed; None when there was none.

        A file is put back when it is what the restore wrote. One that somebody changed since is left alone.
        """
        if not self._journal.exists():
            return None
        with self._savepoints.locked():
            return self._put_back() if self._journal.exists() else None

    def _put_back(self) -> Restored:
        """Undo what stands in the journal; it stays where that cannot be done now."""
        noted, folders = _read(self._journal)
        self._sweep([step.path for step, _, _ in noted], folders)
        steps = [_undoing(*row) for row in noted if not row[0].conflict]
        steps.sort(key=self._turn)
        steps = [step for step in steps if not self._is_as(step)]
        contents = self._contents([step for step in steps if writes(step)])
        try:
            undone = self._writing(contents, folders, kept=folders).all(steps)
        except FullError as error:
            later = "the next `gateline restore` puts the files back"
            raise SavepointError(f"{error}; {later}, once there is free space") from None
        self._journal.unlink()
        return undone

    def _writing(
        self, contents: Mapping[str, bytes], folders: Mapping[str, int], kept: Collection[str] = ()
    ) -> Writing:
        return Writing(self._root, self._kind, contents, folders, kept)

    def _turn(self, step: Step) -> int:
        """When a step back comes: folders that their owner cannot write to are opened first."""
        if step.is_folder:
            return 3 if step.bits is None or self._opened(step) else 0
        return 1 if step.action is Action.DELETE else 2

    def _opened(self, step: Step) -> bool:
        return not (step.bits or 0) & OWNER & ~(bits_of(self._root / step.path) or 0)

    def _is_as(self, step: Step) -> bool:
        """Whether a step has nothing to do."""
        file = self._root / step.path
        if step.is_folder:
            return bits_of(file) == step.bits
        if blob_of(file, self._kind) != step.blob:
            return False
        return step.bits is None or not step.blob or bits_of(file) in (None, step.bits)

    def _note(self, steps: Sequence[Step]) -> None:
        """Write the journal: what is planned, and how everything is before."""
        rows = [_plain(step, self._mode(step.path), bits_of(self._root / step.path)) for step in steps]
        known = dict.fromkeys(folder for step in steps for folder in around(step.path))
        there = (path for path in known if stat.S_ISDIR(mode_of(self._root / path)))
        folders = {path: bits for path in there if (bits := bits_of(self._root / path)) is not None}
        content = json.dumps({"steps": rows, "folders": folders})
        try:
            with tempfile.NamedTemporaryFile(
                "w", dir=self._journal.parent, prefix=_NOTING, delete=False, encoding="utf-8"
            ) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(self._journal)
        except OSError as error:
            raise SavepointError(
                f"{self._journal} cannot be written: {error.strerror or error}; nothing was restored"
            ) from None
        finally:
            self._forget_half_journals()

    def _forget_half_journals(self) -> None:
        for file in self._journal.parent.glob(f"{_NOTING}*"):
            file.unlink(missing_ok=True)

    def _sweep(self, paths: Sequence[str], folders: Collection[str]) -> None:
        """Remove what was about to take a place when the process was killed, and folders made for it.

        `folders` were there before.
        """
        for folder in {path.rpartition("/")[0] for path in paths}:
            place = self._root / folder
            for file in place.glob(f"{FRESH}*"):
                # A folder is what `--to` is filling beside its place.
                with contextlib.suppress(OSError):
                    file.unlink()
            while folder and folder not in folders:
                with contextlib.suppress(OSError):
                    (self._root / folder).rmdir()
                folder = folder.rpartition("/")[0]

    def _mode(self, path: str) -> str:
        file = self._root / path
        mode = mode_of(file)
        if stat.S_ISLNK(mode):
            return LINK
        if stat.S_ISDIR(mode):
            return FOLDER
        return EXECUTABLE if os.access(file, os.X_OK) else "100644"

    def _contents(self, steps: Sequence[Step]) -> dict[str, bytes]:
        """The bytes of the blobs that will be written: all are there before the first file is touched."""
        wanted = [step for step in steps if not step.conflict]
        found = self._savepoints.shadow.contents(list(dict.fromkeys(step.blob for step in wanted)))
        gone = [step.path for step in wanted if step.blob not in found]
        if gone:
            raise SavepointError(f"the recorded content of {', '.join(gone)} is missing")
        return found


_Noted = tuple[Step, str, int | None]
"""A step, and mode and permissions of what was there before."""


def _read(journal: Path) -> tuple[list[_Noted], dict[str, int]]:
    """What a journal says of steps, and of folders; also one that an earlier version left."""
    noted = json.loads(journal.read_text(encoding="utf-8"))
    if isinstance(noted, list):
        noted = {"folders": {}, "steps": [{**row, "was": "", "bits": None, "had": None} for row in noted]}
        for row in noted["steps"]:
            row["mode"], _, row["was"] = row["mode"].partition(" ")
    rows = [(row.pop("was"), row.pop("had"), row) for row in noted["steps"]]
    return [(Step(**row), was, had) for was, had, row in rows], noted["folders"]


def _undoing(step: Step, was: str, had: int | None) -> Step:
    """The step back to what had a mode and permissions before."""
    back = {Action.CREATE: Action.DELETE, Action.DELETE: Action.CREATE, Action.CHANGE: Action.CHANGE}
    return Step(step.path, back[Action(step.action)], was, step.before, step.blob, bits=had)


def _plain(step: Step, was: str, had: int | None) -> dict[str, object]:
    row = {field.name: getattr(step, field.name) for field in fields(step)}
    return row | {"was": was, "had": had}
