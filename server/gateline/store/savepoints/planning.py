"""What restoring a savepoint would do to each file, and which it must not touch."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from gateline.git import split, without_filters
from gateline.store.savepoints.gaps import Gaps
from gateline.store.savepoints.permissions import LINK, around, guarded, is_below, mode_of
from gateline.store.savepoints.planned_bits import PlannedBits
from gateline.store.savepoints.pointers import fetched
from gateline.store.savepoints.taking import GITLINK, Savepoints
from gateline.store.savepoints.values import Action, Plan, Savepoint, SavepointUsageError, Step

_NOTHING = "000000"
_UNRECORDED = "a file is there whose content was not recorded"


def plan(
    savepoints: Savepoints,
    target: Savepoint,
    at: datetime,
    paths: Sequence[str] = (),
    texts: Mapping[str, str] | None = None,
) -> Plan:
    """How to get from now to a savepoint, after a savepoint of now. `paths`: only these, or below them.

    `texts` are unsaved ones, which count as what is there now. Their files are recorded before: another
    program may have written them. A path that names nothing raises SavepointUsageError.
    """
    label = f"before restoring {target.id}"
    if texts:
        savepoints.take(f"{label}, the files", at)
        at += timedelta(microseconds=1)
    now = savepoints.take(label, at, texts)
    only = () if "." in paths else tuple(paths)
    return _Planning(savepoints, target, now, only).plan()


class _Planning:
    """What to do with each path to get from the savepoint of now to another one."""

    def __init__(
        self, savepoints: Savepoints, target: Savepoint, now: Savepoint, paths: tuple[str, ...]
    ) -> None:
        self._savepoints = savepoints
        self._shadow = savepoints.shadow
        self._target, self._now, self._paths = target, now, paths
        self._then, self._here = Gaps(savepoints, target), Gaps(savepoints, now)

    def plan(self) -> Plan:
        """The steps, each with its conflict. Blocks. Raises SavepointError."""
        differing = self._differing()
        missed = self._missed(differing)
        steps = self._judged(self._known_newer(self._not_kept_out(differing)))
        bits = PlannedBits(self._savepoints.root, self._then.coverage, self._here.coverage, self._paths)
        steps = [replace(step, bits=self._bits(bits, step)) for step in steps]
        touched = frozenset(step.path for step in differing)
        first, last = bits.steps(lambda paths: self._shadow.entries_of(self._target.tree, paths), touched)
        # What goes, goes first: a file may take the place of a folder.
        ordered = sorted(steps, key=lambda step: step.action is not Action.DELETE)
        everything = (*first, *ordered, *last, *missed)
        return Plan(self._target, self._now, everything, bits.made_folders(steps))

    def _differing(self) -> list[Step]:
        how = ("-r", "-z", "--raw", "--no-renames")
        only = map(_literal, self._paths)
        raw = self._shadow.run("diff-tree", *how, self._now.tree, self._target.tree, "--", *only)
        return [step for head, path in _records(split(raw)) if (step := _step(head, path)) is not None]

    def _not_kept_out(self, steps: Sequence[Step]) -> list[Step]:
        """Without what is as in the commit, and was or is kept out of the work tree."""
        then = self._then.committed([step.path for step in steps if step.action is Action.DELETE])
        here = self._here.committed([step.path for step in steps if step.action is Action.CREATE])
        known = {step.path: step.before or step.blob for step in steps}
        same = {path for path, (_, blob) in (then | here).items() if known[path] == blob}
        same |= self._unmodified({path: blob for path, (_, blob) in then.items() if path not in same})
        return [step for step in steps if step.path not in same]

    def _unmodified(self, blobs: Mapping[str, str]) -> set[str]:
        """The files that the user's git holds for the same as in a commit, through filters and line ends."""
        if not blobs:
            return set()
        # A preview runs no program that a repository names.
        plain = without_filters(self._savepoints.root)
        changed = set(split(self._shadow.user.ask("ls-files", "-z", "--modified", environment=plain)))
        rows = (row.partition("\t") for row in split(self._shadow.user.ask("ls-files", "-z", "--stage")))
        known = {path: head.split(" ")[1] for head, _, path in rows}
        return {path for path, blob in blobs.items() if known.get(path) == blob and path not in changed}

    def _known_newer(self, steps: Sequence[Step]) -> list[Step]:
        """What may have been there at the savepoint is not deleted."""
        reasons = self._then.reasons([step.path for step in steps if step.action is Action.DELETE])
        return [replace(step, conflict=reasons.get(step.path, "")) for step in steps]

    def _judged(self, steps: Sequence[Step]) -> list[Step]:
        """Each step with what keeps it from being done; without those of which nothing is left to do."""
        ground = _Ground(
            self._savepoints.root,
            frozenset(row.path for row in self._now.uncovered),
            frozenset(step.path for step in steps if step.action is Action.DELETE and not step.conflict),
        )
        root = self._savepoints.root
        changed = {root / step.path: step.blob for step in steps if step.action is Action.CHANGE}
        same = fetched(self._shadow, changed)
        return [
            replace(step, conflict=step.conflict or ground.conflict(step))
            for step in steps
            if root / step.path not in same and not self._is_there_already(step)
        ]

    def _is_there_already(self, step: Step) -> bool:
        """Whether the content of a file that would be made is there, and not covered now."""
        file = self._savepoints.root / step.path
        if step.action is not Action.CREATE or not mode_of(file):
            return False
        if file.lstat().st_size > self._savepoints.largest:
            return False
        return blob_of(file, self._shadow.user.kind) == step.blob

    def _bits(self, bits: PlannedBits, step: Step) -> int | None:
        if step.action is Action.DELETE or step.mode == LINK:
            return None
        if self._then.coverage is None and step.action is Action.CREATE:
            # Nobody knows who could read it; what git tracks was no secret.
            tracked = self._shadow.files_of(self._target.head, [step.path])
            return None if step.path in tracked else guarded(step.mode)
        return bits.of(step)

    def _missed(self, steps: Sequence[Step]) -> list[Step]:
        """The paths that were named and that no savepoint holds. Raises SavepointUsageError."""
        missed = [path for path in self._paths if not any(is_below(step.path, path) for step in steps)]
        reasons = {path: self._why(path) for path in missed if not self._is_held(path)}
        wrong = [repr(path) for path, why in reasons.items() if not why]
        if wrong:
            names = ", ".join(wrong)
            raise SavepointUsageError(
                f"there is no file {names}, neither in savepoint {self._target.id} nor here"
            )
        return [Step(path, Action.CHANGE, "", "", "", why) for path, why in reasons.items()]

    def _is_held(self, path: str) -> bool:
        trees = dict.fromkeys((self._target.tree, self._now.tree))
        return any(self._shadow.names("ls-tree", "-z", tree, "--", _literal(path)) for tree in trees)

    def _why(self, path: str) -> str:
        """Why something that is here, or was, is not held; "" for what is nowhere."""
        is_here = os.path.lexists(self._savepoints.root / path)
        if not is_here and not (self._then.has(path) or self._here.has(path)):
            return ""
        return self._then.reason(path) or self._here.reason(path) or "no savepoint holds anything of it"


def _records(fields: list[str]) -> Iterator[tuple[str, str]]:
    return zip(fields[::2], fields[1::2], strict=True)


def _literal(path: str) -> str:
    return f":(literal){path}"


def _step(head: str, path: str) -> Step | None:
    was, mode, before, blob, _ = head.lstrip(":").split(" ")
    if GITLINK in (was, mode):
        return None
    there, will = was != _NOTHING, mode != _NOTHING
    action = Action.CHANGE if there and will else Action.CREATE if will else Action.DELETE
    return Step(path, action, mode if will else "", blob if will else "", before if there else "")


@dataclass(frozen=True)
class _Ground:
    """The work tree, and what of it a plan may touch."""

    root: Path
    uncovered: Collection[str]
    going: Collection[str]
    """The files that the plan deletes."""

    def conflict(self, step: Step) -> str:
        """Why a file must be left alone; "" when it need not."""
        file = self.root / step.path
        if step.action is Action.CREATE and (step.path in self.uncovered or self._is_taken(file, step.path)):
            return _UNRECORDED
        return next(filter(None, map(self._blocked, around(step.path))), "")

    def _is_taken(self, file: Path, path: str) -> bool:
        """Whether something is there that the plan does not take away before."""
        if stat.S_ISDIR(mode_of(file)):
            return not any(gone.startswith(f"{path}/") for gone in self.going)
        return os.path.lexists(file)

    def _blocked(self, parent: str) -> str:
        folder = self.root / parent
        if parent in self.going:
            return ""
        mode = mode_of(folder)
        if stat.S_ISLNK(mode):
            return f"{parent} is a symbolic link"
        if stat.S_ISDIR(mode):
            return "" if os.access(folder, os.X_OK) else f"{parent} is a folder that cannot be entered"
        return f"{parent} is a file" if mode else ""


def blob_of(file: Path, kind: str) -> str:
    """Git's name of what is at a path; empty when nothing is, "?" for what is no file or cannot be read.

    `kind` is the object format.
    """
    try:
        found = file.lstat()
        if stat.S_ISLNK(found.st_mode):
            data = os.fsencode(file.readlink())
        elif stat.S_ISREG(found.st_mode):
            data = file.read_bytes()
        else:
            return "?"
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return "?"
    digest = hashlib.new(kind, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()
