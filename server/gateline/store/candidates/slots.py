"""Numbered folders that processes take in turn, so that what was learned of a path can be used again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import portalocker

from gateline.store.candidates.trees import CandidateError


@contextmanager
def slot(places: Path, most: int, full: str) -> Iterator[Path]:
    """A folder of `places` that is nobody else's, empty before and after. Blocks.

    Who is killed leaves it full; the next one that takes it clears it. Raises CandidateError, which says
    `full`, where all `most` are taken.
    """
    places.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, lock = _free(places, most, full)
    place = places / f"{number:02}"
    try:
        _clear(place)
        yield place
    finally:
        _clear(place)
        lock.release()


def _free(places: Path, most: int, full: str) -> tuple[int, portalocker.Lock]:
    for number in range(most):
        lock = portalocker.Lock(places / f"{number:02}.lock", "a+", timeout=0, fail_when_locked=True)
        try:
            lock.acquire()
        except portalocker.LockException:
            continue
        return number, lock
    raise CandidateError(full)


def _clear(place: Path) -> None:
    # What a program left without permissions must not stay.
    for folder, names, _ in os.walk(place):
        for name in names:
            inner = Path(folder) / name
            if not inner.is_symlink() and not os.access(inner, os.W_OK | os.X_OK):
                inner.chmod(0o700)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
