"""Names for a content: what was judged, and whether it is what there is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gateline.model import Change, FileChange

GONE = ""
Between = Callable[[str, str], Iterable[str]]
"""The paths that differ between two commits."""


@dataclass(frozen=True, slots=True)
class Content:
    """The base, and each file that differs from it."""

    base: str
    files: tuple[tuple[str, str], ...]
    """Paths with the digests of the texts there, the reason and fingerprint of a file without a text, or
    nothing for one that is gone."""

    @property
    def hash(self) -> str:
        """32 hexadecimal digits of BLAKE2b over the base, the paths and the digests, a line for each."""
        told = "\n".join([self.base, *(f"{digest} {path}" for path, digest in self.files)])
        return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def content_of(change: Change) -> Content:
    """The content of a change."""
    rows = sorted((*change.files, *change.others), key=lambda row: row.path)
    return Content(change.base, tuple((row.path, _digest(row)) for row in rows))


def _digest(row: FileChange) -> str:
    if row.current is not None:
        return row.current.digest
    return f"{row.skipped} {row.fingerprint}" if row.skipped else GONE


class Watched:
    """What the files of a change held when they were looked at last."""

    def __init__(self) -> None:
        self._last: Content | None = None

    def moved(self, change: Change, between: Between) -> list[str]:
        """The paths at which something else is now; nothing at the first look. Blocks.

        Where the base moved, files differ that are in neither change: both bases hold them.
        """
        before, self._last = self._last, content_of(change)
        if before is None:
            return []
        paths = {path for path, _ in set(before.files) ^ set(self._last.files)}
        moved = before.base != self._last.base
        return sorted(paths | set(between(before.base, self._last.base) if moved else ()))
