"""Carries out a plan: file by file, each replaced in one step, and nothing that is not as it was planned.

What is under way stands in a journal. After a kill the next one who comes puts the files back to what they
were before, so that the work tree is either as before or as asked.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.store.savepoints.planning import blob_of
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Action, Plan, SavepointError, Step

_LINK = "120000"
_EXECUTABLE = "100755"
_CHANGED = "it was changed meanwhile"
_FRESH = ".gateline-restoring-"
"""How the names of files begin that are about to take a place."""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What stops every further file, not just one."""


class _FullError(Exception):
    """There is no room for a file."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of a plan."""

    done: tuple[Step, ...]
    left: tuple[Step, ...]
    """Files that were left alone, each with its conflict."""


class Restoring:
    """Restores in place. Methods block and raise SavepointError."""

    def __init__(self, savepoints: Savepoints) -> None:
        self._savepoints = savepoints
        self._root = savepoints.root
        self._journal = savepoints.shadow.folder / "restoring.json"
        self._kind = savepoints.shadow.line("rev-parse", "--show-object-format")

    def in_place(self, plan: Plan) -> Restored:
        """Change the work tree as planned; files in conflict, or changed since, are left alone.

        Where the disk is full, every file is put back.
        """
        contents = self._contents([step for step in plan.steps if step.blob])
        with self._savepoints.locked():
            self._note(plan.steps)
            try:
                restored = self._all(plan.steps, contents)
            except _FullError as error:
                self._put_back()
                raise SavepointError(f"{error}: every file was put back") from None
            self._journal.unlink()
        return restored

    def recover(self) -> Restored | None:
        """Undo a restore that was killed; None when there was none.

        A file is put back when it is what the restore wrote. One that somebody changed since is left alone.
        """
        with self._savepoints.locked():
            return self._put_back() if self._journal.exists() else None

    def _put_back(self) -> Restored:
        """Undo what stands in the journal; it stays where that cannot be done now."""
        noted = json.loads(self._journal.read_text(encoding="utf-8"))
        self._sweep(noted)
        steps = [_undoing(Step(**row)) for row in noted if not row["conflict"]]
        steps.sort(key=lambda step: step.action is not Action.DELETE)
        steps = [step for step in steps if blob_of(self._root / step.path, self._kind) != step.blob]
        try:
            undone = self._all(steps, self._contents([step for step in steps if step.blob]))
        except _FullError as error:
            later = "the next `gateline restore` puts the files back"
            raise SavepointError(f"{error}; {later}, once there is room") from None
        self._journal.unlink()
        return undone

    def _all(self, steps: Sequence[Step], contents: dict[str, bytes]) -> Restored:
        carried_out = [self._carried_out(step, contents) for step in steps]
        done = tuple(step for step in carried_out if not step.conflict)
        return Restored(done, tuple(step for step in carried_out if step.conflict))

    def _note(self, steps: Sequence[Step]) -> None:
        modes = {step.path: self._mode(step.path) for step in steps if step.before}
        rows = [{**_plain(step), "mode": f"{step.mode} {modes.get(step.path, '')}"} for step in steps]
        folder = self._journal.parent
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
            json.dump(rows, file)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(self._journal)

    def _sweep(self, noted: Sequence[dict[str, str]]) -> None:
        """Remove what was about to take a place when the process was killed, and folders made for it."""
        for folder in {(self._root / row["path"]).parent for row in noted}:
            for file in folder.glob(f"{_FRESH}*"):
                file.unlink()
            self._without_empty(folder)

    def _mode(self, path: str) -> str:
        file = self._root / path
        if file.is_symlink():
            return _LINK
        return _EXECUTABLE if os.access(file, os.X_OK) else "100644"

    def _contents(self, steps: Sequence[Step]) -> dict[str, bytes]:
        """The bytes of the blobs that will be written: all are there before the first file is touched."""
        found = {}
        for blob in dict.fromkeys(step.blob for step in steps if not step.conflict):
            try:
                found[blob] = self._savepoints.shadow.run("cat-file", "blob", blob)
            except SavepointError as error:
                paths = ", ".join(step.path for step in steps if step.blob == blob)
                raise SavepointError(f"the recorded content of {paths} is gone: {error}") from None
        return found

    def _carried_out(self, step: Step, contents: dict[str, bytes]) -> Step:
        if step.conflict:
            return step
        file = self._root / step.path
        if blob_of(file, self._kind) != step.before:
            return replace(step, conflict=_CHANGED)
        try:
            self._do(step, file, contents)
        except OSError as error:
            if error.errno in _FULL:
                raise _FullError(f"{step.path} cannot be written: {error.strerror}") from None
            return replace(step, conflict=f"{error.strerror or error}")
        return step

    def _do(self, step: Step, file: Path, contents: dict[str, bytes]) -> None:
        if step.action is Action.DELETE:
            file.unlink()
            self._without_empty(file.parent)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        _put(file, step.mode, contents[step.blob])

    def _without_empty(self, folder: Path) -> None:
        """Folders that hold nothing any more go, as they do with git."""
        while folder != self._root:
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                return
            folder = folder.parent


def _put(file: Path, mode: str, data: bytes) -> None:
    """Put something in place of a file in one step."""
    fd, name = tempfile.mkstemp(dir=file.parent, prefix=_FRESH)
    fresh = Path(name)
    try:
        if mode == _LINK:
            os.close(fd)
            fresh.unlink()
            fresh.symlink_to(os.fsdecode(data))
        else:
            with os.fdopen(fd, "wb") as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            fresh.chmod(_permissions(file, executable=mode == _EXECUTABLE))
        fresh.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def _permissions(file: Path, *, executable: bool) -> int:
    """Those of the file that was there, with or without the right to execute it."""
    try:
        known = file.lstat().st_mode & 0o777 if not file.is_symlink() else 0o644
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        known = 0o666 & ~mask
    readers = (known & 0o444) >> 2
    return known | readers if executable else known & ~0o111


def _undoing(step: Step) -> Step:
    """The step back. In the journal a step's mode is followed by that of what was there."""
    _, _, before = step.mode.partition(" ")
    back = {Action.CREATE: Action.DELETE, Action.DELETE: Action.CREATE, Action.CHANGE: Action.CHANGE}
    return Step(step.path, back[step.action], before, step.before, step.blob)


def _plain(step: Step) -> dict[str, str]:
    fields = ("path", "action", "mode", "blob", "before", "conflict")
    return {name: str(getattr(step, name)) for name in fields}
