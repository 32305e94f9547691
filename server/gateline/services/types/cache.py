"""Where mypy remembers what it knows of a project.

A resident engine reads trees from its cache long after it started, so that cache must not change under it:
it is filled aside and then put in its place whole. Ordinary runs, which are also asked about the texts of the
base, have a cache of their own, and one run at a time has it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator

_RESIDENT = "resident"
_PLAIN = "plain"
_LEFT_BEHIND = 3600
"""Seconds after which a folder made aside belongs to nobody any more."""


class Cache:
    """The folders of one project. When none can be written, one that lasts as long as the machine is up."""

    def __init__(self, folder: str) -> None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            folder = os.path.join(tempfile.gettempdir(), f"gateline-{os.getuid()}", os.path.basename(folder))
            os.makedirs(folder, mode=0o700, exist_ok=True)
        self.folder = folder

    @contextlib.contextmanager
    def for_engine(self) -> Iterator[str]:
        """The cache to start an engine from. Once it started, the engine keeps what it opened."""
        with self._held(_RESIDENT, fcntl.LOCK_SH):
            yield self._path(_RESIDENT)

    @contextlib.contextmanager
    def for_run(self) -> Iterator[str]:
        """The cache of ordinary runs, for this process alone. The first run starts from the engine's."""
        with self._held(_PLAIN, fcntl.LOCK_EX):
            if not os.path.isdir(self._path(_PLAIN)) and os.path.isdir(self._path(_RESIDENT)):
                with self._held(_RESIDENT, fcntl.LOCK_SH):
                    shutil.copytree(self._path(_RESIDENT), self._path(_PLAIN))
            yield self._path(_PLAIN)

    @contextlib.contextmanager
    def to_prime(self) -> Iterator[str]:
        """A copy of the engine's cache to bring up to date; it takes the place of the old one at the end."""
        self._sweep()
        with tempfile.TemporaryDirectory(prefix=f"{_RESIDENT}.", dir=self.folder) as aside:
            new, old = os.path.join(aside, "new"), os.path.join(aside, "old")
            with self._held(_RESIDENT, fcntl.LOCK_SH):
                if os.path.isdir(self._path(_RESIDENT)):
                    shutil.copytree(self._path(_RESIDENT), new)
            yield new
            with self._held(_RESIDENT, fcntl.LOCK_EX), contextlib.suppress(FileNotFoundError):
                if os.path.isdir(self._path(_RESIDENT)):
                    os.rename(self._path(_RESIDENT), old)
                os.rename(new, self._path(_RESIDENT))

    def _sweep(self) -> None:
        """Remove what a run that was killed left behind."""
        for entry in os.scandir(self.folder):
            if entry.name.startswith(f"{_RESIDENT}.") and entry.is_dir() and _age(entry) > _LEFT_BEHIND:
                shutil.rmtree(entry.path, ignore_errors=True)

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    @contextlib.contextmanager
    def _held(self, name: str, how: int) -> Iterator[None]:
        with open(self._path(f"{name}.lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, how)
            yield


def _age(entry: os.DirEntry[str]) -> float:
    return time.time() - entry.stat().st_mtime


def is_primed(folder: str) -> bool:
    """Whether an engine can start from the cache in this folder."""
    return os.path.isdir(os.path.join(folder, _RESIDENT))
