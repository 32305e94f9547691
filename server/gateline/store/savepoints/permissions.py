"""Permission bits of a work tree: git keeps only the right to execute, and what is private must stay so."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = "040000"
"""git's mode of a folder."""
EXECUTABLE = "100755"
LINK = "120000"
_BITS = 0o777
_OTHERS = 0o077
"""The bits of everybody but the owner."""
_RIGHTS = (0o070, 0o007)
"""Those of the group, and those of all others."""


@dataclass(frozen=True, slots=True)
class Permissions:
    """The bits of each file and folder: three usual ones, and those that are otherwise."""

    file: int = 0o644
    executable: int = 0o755
    folder: int = 0o755
    others: Mapping[str, int] = field(default_factory=dict)
    """By path from the top, which is "" itself."""

    def of(self, path: str, mode: str) -> int:
        """The bits of a path; `mode` is git's."""
        usual = {FOLDER: self.folder, EXECUTABLE: self.executable}.get(mode, self.file)
        known = self.others.get(path, usual)
        if mode == FOLDER or bool(known & 0o100) == (mode == EXECUTABLE):
            return known
        return executable(known) if mode == EXECUTABLE else known & ~0o111

    def reach(self, path: str) -> int:
        """The bits of those whom the folders around a path let through."""
        folders = [self.of(folder, FOLDER) for folder in (*around(path), "")]
        return sum(rights for rights in _RIGHTS if all(bits & rights & 0o111 for bits in folders))

    def is_private(self, path: str, mode: str) -> bool:
        """Whether only the owner can read a file, where others can read the usual ones."""
        usual = Permissions(self.file, self.executable, self.folder)
        return bool(usual._readers(path, mode)) and not self._readers(path, mode)

    def _readers(self, path: str, mode: str) -> int:
        inside = all(self.of(folder, FOLDER) & 0o011 for folder in around(path))
        return self.of(path, mode) & 0o044 if inside else 0


def executable(bits: int) -> int:
    """Bits with the right to execute for all who can read."""
    return bits | (bits & 0o444) >> 2


def guarded(mode: str) -> int:
    """The bits of a file of which nobody knows who could read it."""
    return 0o700 if mode == EXECUTABLE else 0o600


def permissions_in(root: str, paths: Iterable[str]) -> Permissions:
    """Those of files and of the folders around them; links have none. Blocks."""
    files: dict[str, int] = {}
    runnable: dict[str, int] = {}
    for path in paths:
        try:
            mode = os.lstat(f"{root}/{path}").st_mode
        except OSError:
            # An unsaved text, or a file that goes just now.
            continue
        if stat.S_ISREG(mode):
            (runnable if mode & 0o100 else files)[path] = mode & _BITS
    inner = {path.rpartition("/")[0] for path in (*files, *runnable)}
    outer = {folder for path in inner for folder in around(path)}
    folders = {folder: _bits(f"{root}/{folder}") for folder in {"", *inner, *outer}}
    usual = Permissions()
    kinds = ((files, usual.file), (runnable, usual.executable), (folders, usual.folder))
    most = [_most(found.values(), known) for found, known in kinds]
    others = {
        path: bits
        for (found, _), common in zip(kinds, most, strict=True)
        for path, bits in found.items()
        if bits != common
    }
    return Permissions(most[0], most[1], most[2], others)


def _bits(folder: str) -> int:
    try:
        return Path(folder).stat().st_mode & _BITS
    except OSError:
        return Permissions().folder


def mode_of(place: Path) -> int:
    """Kind and permissions, as `lstat` has them; 0 where nothing is, or nobody may look."""
    try:
        return place.lstat().st_mode
    except OSError:
        return 0


def _most(found: Iterable[int], usual: int) -> int:
    return next((bits for bits, _ in Counter(found).most_common(1)), usual)


def around(path: str) -> Iterator[str]:
    """The folders around a path, innermost first, without the top."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def is_below(path: str, folder: str) -> bool:
    """Whether a path is another one, or lies in it."""
    return path == folder or path.startswith(f"{folder}/")


def umask() -> int:
    """The bits that this process takes away from files that it makes."""
    mask = os.umask(_OTHERS)
    os.umask(mask)
    return mask
