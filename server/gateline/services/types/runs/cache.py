"""Where mypy remembers what it knows of a project.

A resident engine reads trees from its cache long after it started, so that cache must not change under it:
it is filled aside and then put in its place whole. Ordinary runs, which are also asked about the texts of the
base, have a cache of their own, and one run at a time has it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator

import portalocker
from portalocker import LockFlags

_RESIDENT = "resident"
_PLAIN = "plain"
_LEFT_BEHIND = 3600
"""Seconds after which a folder made aside belongs to nobody any more."""
_OF_OPEN_DATABASES = ("*-wal", "*-shm")
"""What SQLite keeps beside a database that somebody has open, and removes with the last who closes it."""
_AGAIN = 0.02
"""Seconds after which a lock is asked for again, where the system does not wait for it itself."""


class Cache:
    """The folders of one project, shared by all processes that check it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    @contextlib.contextmanager
    def for_engine(self) -> Iterator[str]:
        """The cache to start an engine from. Once it started, the engine keeps what it opened."""
        with self._held(_RESIDENT, LockFlags.SHARED):
            yield self._path(_RESIDENT)

    @contextlib.contextmanager
    def for_run(self) -> Iterator[str]:
        """The cache of ordinary runs, for this process alone. The first run starts from the engine's."""
        with self._held(_PLAIN, LockFlags.EXCLUSIVE):
            if not os.path.isdir(self._path(_PLAIN)):
                self._copy_resident(self._path(_PLAIN))
            yield self._path(_PLAIN)

    @contextlib.contextmanager
    def to_prime(self) -> Iterator[str]:
        """A copy of the engine's cache to bring up to date; it takes the place of the old one at the end."""
        self._sweep()
        with self._aside() as aside:
            new = os.path.join(aside, "new")
            self._copy_resident(new)
            yield new
            with self._held(_RESIDENT, LockFlags.EXCLUSIVE):
                self._put_in_place(new, os.path.join(aside, "old"))

    def _copy_resident(self, target: str) -> None:
        """A whole copy or none: a process may be killed at any moment."""
        with self._held(_RESIDENT, LockFlags.SHARED), self._aside() as aside:
            if os.path.isdir(self._path(_RESIDENT)):
                part = os.path.join(aside, "part")
                ignored = shutil.ignore_patterns(*_OF_OPEN_DATABASES)
                shutil.copytree(self._path(_RESIDENT), part, ignore=ignored, copy_function=_copy)
                os.rename(part, target)

    def _put_in_place(self, new: str, old: str) -> None:
        """Where a folder that somebody reads cannot be moved, the old one stays."""
        resident = self._path(_RESIDENT)
        with contextlib.suppress(OSError):
            if os.path.isdir(resident):
                os.rename(resident, old)
            os.rename(new, resident)

    @contextlib.contextmanager
    def _aside(self) -> Iterator[str]:
        options = {"prefix": f"{_RESIDENT}.", "dir": self.folder}
        with tempfile.TemporaryDirectory(**options, ignore_cleanup_errors=True) as folder:
            yield folder

    def _sweep(self) -> None:
        """Remove what a run that was killed left behind."""
        for entry in os.scandir(self.folder):
            if entry.name.startswith(f"{_RESIDENT}.") and entry.is_dir() and _age(entry) > _LEFT_BEHIND:
                shutil.rmtree(entry.path, ignore_errors=True)

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    @contextlib.contextmanager
    def _held(self, name: str, how: LockFlags) -> Iterator[None]:
        with open(self._path(f"{name}.lock"), "a", encoding="utf-8") as lock:
            _wait_for(lock.fileno(), how)
            yield


def _copy(source: str, target: str) -> str:
    """A copy of a file; of a database what was committed, whoever opens or closes it meanwhile."""
    try:
        if source.endswith(".db"):
            with (
                contextlib.closing(sqlite3.connect(source)) as read,
                contextlib.closing(sqlite3.connect(target)) as written,
            ):
                read.backup(written)
            return target
    except sqlite3.Error:
        pass  # a damaged one is copied as it is: who reads it makes it anew
    return shutil.copy2(source, target)


def _wait_for(file: int, how: LockFlags) -> None:
    """Lock an open file, until it is closed. Some systems give up after seconds; we do not."""
    while True:
        try:
            return portalocker.lock(file, how)
        except portalocker.AlreadyLocked:
            time.sleep(_AGAIN)


def _age(entry: os.DirEntry[str]) -> float:
    return time.time() - entry.stat().st_mtime


def is_primed(folder: str) -> bool:
    """Whether an engine can start from the cache in a folder."""
    return os.path.isdir(os.path.join(folder, _RESIDENT))


def scratch_beside(folder: str) -> str:
    """A new folder beside the caches in `folder`, for what a process remembers while it lives.

    "" where none can be made. One whose process was killed is removed when a cache is filled an hour later.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        return tempfile.mkdtemp(prefix=_scratch_of(os.getpid()), dir=folder)
    except OSError:
        return ""


def remove_scratch(folder: str, pid: int) -> None:
    """Remove what a process that is gone remembered beside the caches in `folder`."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_scratch_of(pid)):
                shutil.rmtree(entry.path, ignore_errors=True)


def _scratch_of(pid: int) -> str:
    return f"{_RESIDENT}.of-{pid}-"


class CacheFolder:
    """Where a cache is kept: in the folder that was asked for or, where that cannot be, in its own."""

    def __init__(self, wanted: str) -> None:
        self._own = None if _is_usable(wanted) else tempfile.TemporaryDirectory(prefix="gateline-")
        self.path = self._own.name if self._own else wanted

    @property
    def is_primed(self) -> bool:
        """Whether an engine can start from what is there."""
        return is_primed(self.path)

    def remove(self) -> None:
        """Remove a folder of its own; what was asked for stays."""
        if self._own:
            self._own.cleanup()


def _is_usable(folder: str) -> bool:
    """Whether files in it can be written and locked. It is made if need be."""
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            portalocker.lock(file.fileno(), LockFlags.EXCLUSIVE | LockFlags.NON_BLOCKING)
    except (OSError, portalocker.LockException):
        return False
    return True
