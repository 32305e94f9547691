"""The permissions that files and folders get back: those of the savepoint, and never wider ones."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gateline.store.savepoints.coverage import Coverage
from gateline.store.savepoints.permissions import FOLDER, LINK, Permissions, around, is_below, mode_of
from gateline.store.savepoints.shadow import Entry
from gateline.store.savepoints.values import Action, Step

_OWNER = 0o700


class PlannedBits:
    """The bits of one plan. Without those of then nothing is changed but the right to execute."""

    def __init__(
        self, root: Path, then: Coverage | None, now: Coverage | None, paths: Sequence[str] = ()
    ) -> None:
        """`paths`: what is restored, with all below it; everything when there are none."""
        self._root = root
        self._then = then.permissions if then else None
        self._now = now.permissions if now else None
        self._paths = paths

    def of(self, step: Step) -> int | None:
        """The bits of a file; None: those that it has, or the usual ones."""
        if self._then is None:
            return None
        found = self._then.of(step.path, step.mode)
        # A folder that is not restored may let others through now.
        return found & ~(self._reach_here(step.path) & ~self._then.reach(step.path)) if self._paths else found

    def made_folders(self, steps: Sequence[Step]) -> dict[str, int]:
        """The bits of the folders around the files that are made."""
        if self._then is None:
            return {}
        made = (step for step in steps if step.action is Action.CREATE)
        return {folder: self._then.of(folder, FOLDER) for step in made for folder in around(step.path)}

    def steps(
        self, held: Callable[[Collection[str]], Mapping[str, Entry]], touched: Collection[str]
    ) -> tuple[list[Step], list[Step]]:
        """What differs in nothing but its bits: what comes before all files are written, and what after it.

        `held`: which of some paths, or of all when there are none, the tree of then has, folders included.
        `touched`: files of which more differs.
        """
        if self._then is None or self._now is None:
            return [], []
        wanted = _candidates(self._then, self._now)
        if wanted is not None and not wanted:
            return [], []
        first: list[Step] = []
        last: list[Step] = []
        for path, (mode, blob) in held(wanted or ()).items():
            if mode == LINK or path in touched or not self._is_wanted(path):
                continue
            here, bits = self._bits_here(path, mode), self._then.of(path, mode)
            if here is None or here == bits:
                continue
            # Folders are closed before private files are written into them, and opened after it.
            closes = mode == FOLDER and not bits & ~here and bits & _OWNER == here & _OWNER
            (first if closes else last).append(Step(path, Action.CHANGE, mode, blob, blob, bits=bits))
        return first, last

    def _is_wanted(self, path: str) -> bool:
        return not self._paths or any(is_below(path, wanted) for wanted in self._paths)

    def _bits_here(self, path: str, mode: str) -> int | None:
        """The bits of a file or folder that is there; None for what is not, or is something else."""
        found = mode_of(self._root / path)
        kind = stat.S_ISDIR if mode == FOLDER else stat.S_ISREG
        return found & 0o777 if kind(found) else None

    def _reach_here(self, path: str) -> int:
        """The bits of those whom the folders around a path will let through, when it is restored."""
        assert self._then is not None, "asked before"
        known = dict(self._then.others)
        for folder in (*around(path), ""):
            bits = self._bits_here(folder, FOLDER)
            if bits is not None:
                known[folder] = bits
        return replace(self._then, others=known).reach(path)


def _candidates(then: Permissions, now: Permissions) -> set[str] | None:
    """The paths whose bits may differ; None: all of them."""
    usual = [(one.file, one.executable, one.folder) for one in (then, now)]
    return {*then.others, *now.others} - {""} if usual[0] == usual[1] else None
