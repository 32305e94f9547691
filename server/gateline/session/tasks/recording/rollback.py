"""What restoring a savepoint changes in an editor: texts, as far as they are texts and nobody loses one."""

from __future__ import annotations

import stat
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.recording.texts import unsaved
from gateline.store.savepoints.gaps import differing
from gateline.store.savepoints.permissions import around, umask
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Action, Plan, Savepoint, SavepointError, Step

_EXECUTABLE, _REGULAR = "100755", "100644"
_OTHERS, _READ_OR_WRITE = 0o077, 0o066
"""Permissions of everybody but the owner."""
_MARK = "\ufeff"
_NOT_SEEN = "the editor may hold another text of it"
_NOT_SAVED = "the editor holds another text of it, which was not recorded"
_NOT_TEXT = "it is no text that an editor writes as it was"
_NO_TEXT_DIFFERS = "only its permissions differ, which an editor does not change"
_PRIVATE = "it was private, and an editor would write it for others to read"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of the documents in the editor, by path from the repository's top."""

    told: Collection[str]
    """Those whose newest text the server has: all are in the change, or as they are on disk."""
    dirty: Collection[str] | None
    """Those that were not saved; None: only the told ones are known."""

    def conflict(self, path: str) -> str:
        """Why a file is left alone; "" when nothing unknown can be lost."""
        if path in self.told:
            return ""
        if self.dirty is None:
            return _NOT_SEEN
        return _NOT_SAVED if path in self.dirty else ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A file's text, and what takes its place."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Rollback:
    """A restore as an editor carries it out."""

    top: Path
    target: Savepoint
    now: Savepoint
    steps: tuple[Step, ...]
    rewrites: Mapping[str, Rewrite]
    """Of the files that are created or changed, by path from the top."""


def rollback(
    journal: Journal, name: str, paths: Sequence[str], open_texts: Mapping[str, str], seen: Seen
) -> Rollback:
    """What gets from now, with all unsaved texts, to a savepoint; `name` empty means the last good one.

    A savepoint of now is taken before. Blocks. Raises SavepointError and StoreError.
    """
    from gateline.store.savepoints.planning import plan  # late: hardly any server restores

    savepoints = journal.savepoints()
    target = savepoints.find(name or _last_good(journal))
    texts = unsaved(journal.root, savepoints.root, open_texts)
    planned = plan(savepoints, target, journal.now(), paths, texts)
    made = [_made(savepoints, planned, step, seen) for step in planned.steps]
    steps = tuple(step for step, _ in made)
    found = {step.path: rewrite for step, rewrite in made if rewrite is not None}
    return Rollback(savepoints.root, target, planned.now, steps, found)


def difference(
    journal: Journal, before: str, after: str | None, open_texts: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """What differs between two savepoints, or one and now, as `git diff` shows it; and the files.

    What one of them did not cover is left out: nobody knows whether it differs. Blocks.
    Raises SavepointError.
    """
    savepoints = journal.savepoints()
    old = savepoints.find(before)
    texts = unsaved(journal.root, savepoints.root, open_texts)
    new = savepoints.find(after) if after else savepoints.take("compared", journal.now(), texts)
    names = differing(savepoints, old, new)
    return savepoints.shadow.difference(old.tree, new.tree, names), names


def _last_good(journal: Journal) -> str:
    found = journal.ask(lambda tasks, branch: tasks.last_good(branch))
    if not found:
        raise SavepointError(
            "the task of this branch has no savepoint at a checkpoint; give the ID of a savepoint"
        )
    return found


def _made(savepoints: Savepoints, planned: Plan, step: Step, seen: Seen) -> tuple[Step, Rewrite | None]:
    """A step as an editor does it, with the text that it writes."""
    conflict = step.conflict or seen.conflict(step.path) or _stands(savepoints, planned, step)
    if conflict:
        return replace(step, conflict=conflict), None
    if step.action is Action.DELETE:
        return step, None
    if step.blob == step.before:
        return replace(step, conflict=f"{_NO_TEXT_DIFFERS}: {_by_shell(planned)}"), None
    if _is_opened(savepoints.root, planned, step):
        return replace(step, conflict=f"{_PRIVATE}: {_by_shell(planned)}"), None
    rewrite = _rewrite(savepoints, step)
    if rewrite is None:
        return replace(step, conflict=f"{_NOT_TEXT}: {_by_shell(planned)}"), None
    return step, rewrite


def _stands(savepoints: Savepoints, planned: Plan, step: Step) -> str:
    """Why an editor cannot make a file where a folder is: it leaves the folder when its files go."""
    is_folder = step.action is Action.CREATE and (savepoints.root / step.path).is_dir()
    return f"a folder is there: {_by_shell(planned)}" if is_folder else ""


def _is_opened(top: Path, planned: Plan, step: Step) -> bool:
    """Whether an editor would give a file, or a folder that it makes for it, to more than had it then."""
    if step.bits is None:
        return False
    file, mask = top / step.path, umask()
    bits = stat.S_IMODE(file.stat().st_mode) if file.exists() else 0o666 & ~mask
    made = (folder for folder in around(step.path) if not (top / folder).exists())
    folders = (0o777 & ~mask & ~planned.folders.get(folder, 0o777) for folder in made)
    return bool(bits & ~step.bits & _READ_OR_WRITE or any(opened & _OTHERS for opened in folders))


def _by_shell(planned: Plan) -> str:
    return f"`gateline restore {planned.target.id} --write`"


def _rewrite(savepoints: Savepoints, step: Step) -> Rewrite | None:
    """What an editor can write; None for bytes, links and other line ends."""
    if step.mode not in (_REGULAR, _EXECUTABLE):
        return None
    if (savepoints.root / step.path).is_symlink():
        # An editor would write what it leads to.
        return None
    blobs = [savepoints.shadow.run("cat-file", "blob", blob) for blob in (step.blob, step.before) if blob]
    try:
        after, before = (blob.decode("utf-8") for blob in (*blobs, b"")[:2])
    except UnicodeDecodeError:
        return None
    is_new = step.action is Action.CREATE
    if is_new and step.mode == _EXECUTABLE:
        return None
    ends = "\r" in after if is_new else ("\r\n" in after) != ("\r\n" in before)
    # Editors keep a mark of the encoding apart from the text.
    marked = after.startswith(_MARK) or before.startswith(_MARK)
    return None if ends or marked or "\0" in after else Rewrite(before, after)
