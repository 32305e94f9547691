"""Which files of a folder are looked at: git's, else all that stand there, without what is excluded.

It imports little: the process that holds the index of a workspace waits for it at its start.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.session.workspace.excluding import excluding

if TYPE_CHECKING:
    from gateline.session.workspace.git import Git


@dataclass(frozen=True)
class Listing:
    """Lists the files of a folder. All methods block: call them in a thread."""

    root: Path
    git: Git | None
    exclude: tuple[str, ...] = ()
    names: Callable[[], list[str]] | None = None
    """Gives what git lists, if that was asked for already."""

    @property
    def is_out(self) -> Callable[[str], bool]:
        """Tells of a path whether it is excluded; that of a folder ends with a slash."""
        return excluding(self.exclude, always=True)

    def files(self, wanted: Callable[[str], bool]) -> list[str]:
        """All paths that are wanted, not ignored and not excluded, sorted. git may name one that is gone."""
        if self.git is None:
            names = self._walk(wanted)
        else:
            names = [name for name in (self.names or self.git.files)() if wanted(name)]
        is_out = self.is_out
        return sorted({name for name in names if not is_out(name)})

    def _walk(self, wanted: Callable[[str], bool]) -> list[str]:
        root, is_out, found, waiting = str(self.root), self.is_out, [], [""]
        while waiting:
            folder = waiting.pop()
            for entry in _entries(f"{root}/{folder}"):
                name = folder + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not is_out(f"{name}/"):
                        waiting.append(f"{name}/")
                elif wanted(name):
                    found.append(name)
        return found


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
