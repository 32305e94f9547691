"""Writes the steps of a plan: each file is replaced in one step, and only where it is as was planned."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gateline.store.savepoints.permissions import EXECUTABLE, LINK, around, executable, mode_of, umask
from gateline.store.savepoints.planning import blob_of
from gateline.store.savepoints.values import Action, Step

FRESH = ".gateline-restoring-"
"""How the names of files begin that are about to take a place."""
OWNER = 0o700
_BITS = 0o777
_CHANGED = "it was changed meanwhile"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What stops every further file, not just one."""


class FullError(Exception):
    """There is no room for a file; the message names it."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of a plan."""

    done: tuple[Step, ...]
    left: tuple[Step, ...]
    """Files that were left alone, each with its conflict."""


@dataclass(frozen=True, slots=True)
class Writing:
    """What the writing of steps needs to know. Blocks. Raises FullError."""

    root: Path
    kind: str
    """The object format."""
    contents: Mapping[str, bytes]
    """By git's name."""
    folders: Mapping[str, int]
    """The permissions of folders that are made, by path from the top."""
    kept: Collection[str] = ()
    """Folders that stay when they are empty."""
    _made: dict[str, int] = field(default_factory=dict)

    def all(self, steps: Sequence[Step]) -> Restored:
        """Write one step after the other."""
        written = [self._written(step) for step in steps]
        for folder, bits in self._made.items():
            # One that its owner may not write to was open until now.
            with contextlib.suppress(OSError):
                (self.root / folder).chmod(bits)
        done = tuple(step for step in written if not step.conflict)
        return Restored(done, tuple(step for step in written if step.conflict))

    def _written(self, step: Step) -> Step:
        """The step, with a conflict where it could not be written."""
        if step.conflict:
            return step
        file = self.root / step.path
        if not step.is_folder and blob_of(file, self.kind) != step.before:
            return replace(step, conflict=_CHANGED)
        try:
            self._do(step, file)
        except OSError as error:
            if error.errno in _FULL:
                raise FullError(f"{step.path} cannot be written: {error.strerror}") from None
            return replace(step, conflict=f"{error.strerror or error}")
        return step

    def _do(self, step: Step, file: Path) -> None:
        if step.action is Action.DELETE:
            file.unlink()
            self._without_empty(step.path)
            return
        self._make_folders(step.path)
        if writes(step):
            _put(file, step, self.contents[step.blob])
        else:
            _allow(file, _permissions(file, step))

    def _make_folders(self, path: str) -> None:
        for folder in reversed(list(around(path))):
            place = self.root / folder
            if place.is_dir():
                continue
            bits = self.folders.get(folder, _BITS & ~umask())
            place.mkdir(mode=bits | OWNER)
            # The mask of this process is no part of what was there.
            place.chmod(bits | OWNER)
            self._made[folder] = bits

    def _without_empty(self, path: str) -> None:
        """Folders around a path that hold nothing any more go, as they do with git."""
        for folder in around(path):
            if folder in self.kept:
                return
            try:
                (self.root / folder).rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                return


def writes(step: Step) -> bool:
    """Whether a step writes a content: not where something goes, or only permissions differ."""
    return bool(step.blob) and not step.is_folder and (step.blob != step.before or step.mode == LINK)


def _put(file: Path, step: Step, data: bytes) -> None:
    """Put something in place of a file in one step."""
    fd, name = tempfile.mkstemp(dir=file.parent, prefix=FRESH)
    fresh = Path(name)
    try:
        if step.mode == LINK:
            os.close(fd)
            fresh.unlink()
            fresh.symlink_to(os.fsdecode(data))
        else:
            with os.fdopen(fd, "wb") as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            fresh.chmod(_permissions(file, step))
        fresh.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def _permissions(file: Path, step: Step) -> int:
    """What is planned; else those of the file that is there, with or without the right to execute it."""
    if step.bits is not None:
        return step.bits
    known = None if file.is_symlink() else bits_of(file)
    if known is None:
        known = 0o666 & ~umask()
    return executable(known) if step.mode == EXECUTABLE else known & ~0o111


def _allow(place: Path, bits: int | None) -> None:
    """Change the permissions of a file or a folder, and none of its special bits."""
    if bits is not None:
        place.chmod(stat.S_IMODE(place.lstat().st_mode) & ~_BITS | bits)


def bits_of(place: Path) -> int | None:
    """The permissions of a file or a folder; None for a link, and for what is not there."""
    mode = mode_of(place)
    return None if not mode or stat.S_ISLNK(mode) else mode & _BITS
