"""Looks at the files of a work tree: which of them a savepoint can hold."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

UNREADABLE = "not readable"


@dataclass(frozen=True, slots=True)
class Look:
    """What was found at a path."""

    is_there: bool = False
    """A file or a link that a savepoint holds."""
    reason: str = ""
    """Why something that is there is not covered."""


class Ground:
    """The work tree at one moment: what was said of a folder counts for all its files."""

    def __init__(self, root: Path, largest: int) -> None:
        """`largest`: bytes of a file at most."""
        self._root = str(root)
        self._largest = largest
        self._linked = {"": False}

    def look(self, path: str) -> Look:
        """What is at a path that git names; folders are repositories of their own."""
        if path.endswith("/"):
            return Look(reason="a nested git repository")
        full = f"{self._root}/{path}"
        try:
            found = os.lstat(full)
        except (FileNotFoundError, NotADirectoryError):
            return Look()
        except OSError:
            return Look(reason=UNREADABLE)
        if self._is_behind_link(path.rpartition("/")[0]):
            return Look()
        if not stat.S_ISREG(found.st_mode):
            return Look(stat.S_ISLNK(found.st_mode))
        if found.st_size > self._largest:
            limit = f"worklog.largest-file ({_sized(self._largest)})"
            return Look(reason=f"{_sized(found.st_size)}, more than {limit}")
        return Look(True) if os.access(full, os.R_OK) else Look(reason=UNREADABLE)

    def is_folder(self, path: str) -> bool:
        """Whether a folder, and no link to one, is at a path."""
        place = Path(self._root, path)
        return place.is_dir() and not place.is_symlink()

    def is_there(self, path: str) -> bool:
        """Whether anything is at a path."""
        return os.path.lexists(f"{self._root}/{path}")

    def _is_behind_link(self, folder: str) -> bool:
        """Whether a folder, or one around it, is a link: what it leads to is no part of the work tree."""
        if folder not in self._linked:
            is_link = Path(self._root, folder).is_symlink()
            self._linked[folder] = is_link or self._is_behind_link(folder.rpartition("/")[0])
        return self._linked[folder]


def _sized(size: int) -> str:
    """Bytes as people count them."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size} bytes"
