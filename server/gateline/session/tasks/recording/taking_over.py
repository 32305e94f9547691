"""What an editor writes when a person takes over what somebody else made of the same files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.recording.rollback import Rollback, Seen, rollback
from gateline.session.tasks.recording.texts import unsaved
from gateline.store.candidates.merging import merged
from gateline.store.candidates.scratch import changed_paths, tree_with
from gateline.store.savepoints.permissions import LINK
from gateline.store.savepoints.shadow import Entry, Shadow
from gateline.store.savepoints.values import Action, SavepointError, Step

_BOTH = "it was edited in the same lines meanwhile"
_LINKED = "it is, or is to be, a symbolic link, which is not written; make or remove it yourself"
_EXECUTABLE = "100755"


@dataclass(frozen=True, slots=True)
class Other:
    """What somebody else made: all that differs between two trees."""

    before: str
    after: str
    label: str
    """What it is called, as in "before taking over LABEL"."""
    command: str
    """What writes it in a shell, also what an editor cannot."""


def take_over(journal: Journal, other: Other, open_texts: Mapping[str, str], seen: Seen) -> Rollback:
    """What brings a person's files, with all unsaved texts, to what somebody else made.

    A file that was edited meanwhile keeps these edits: both are in it where they fit together, else it is
    left alone. Blocks. Raises SavepointError and StoreError.
    """
    savepoints = journal.savepoints()
    shadow = savepoints.shadow
    texts = unsaved(journal.root, savepoints.root, open_texts)
    at = journal.now()
    now = savepoints.take(f"before taking over {other.label}", at, texts)
    changed = changed_paths(shadow, other.before, other.after)
    held = [shadow.files_of(one, changed) if changed else {} for one in (now.tree, other.before, other.after)]
    files: dict[str, bytes | None] = {}
    conflicts: list[Step] = []
    for path in changed:
        entries = [one.get(path) for one in held]
        here, before, after = (_blob(shadow, entry) for entry in entries)
        fits, data = _both(here, before, after)
        if why := _BOTH if not fits else _beyond_editors(other.command, *entries):
            conflicts.append(Step(path, Action.CHANGE, "", "", "", why))
        elif data != here:
            files[path] = data
    target = savepoints.keep(tree_with(shadow, now.tree, files), other.label, at, now.tree)
    if not files:
        return Rollback(savepoints.root, target, now, tuple(conflicts), {})
    made = rollback(journal, target.id, tuple(files), open_texts, seen)
    return replace(made, steps=(*made.steps, *conflicts))


def _both(here: bytes | None, before: bytes | None, after: bytes | None) -> tuple[bool, bytes | None]:
    """Whether the edits of both fit together, and the content with both; None: no file."""
    if here in (before, after):
        return True, after
    if here is None or before is None or after is None:
        return False, None
    found = merged(here, before, after)
    return found is not None, found


def _beyond_editors(command: str, *entries: Entry | None) -> str:
    """Why what a path holds here is left alone; "" where an editor can make it what it is to be."""
    modes = [entry[0] if entry is not None else "" for entry in entries]
    if LINK in modes and entries[0] != entries[2]:
        return _LINKED
    if modes[2] == _EXECUTABLE and _EXECUTABLE not in modes[:2]:
        return f"it is to be executable, which an editor does not change; use `{command}`"
    return ""


def _blob(shadow: Shadow, entry: Entry | None) -> bytes | None:
    if entry is None:
        return None
    found = shadow.contents([entry[1]])
    if entry[1] not in found:
        raise SavepointError(f"content {entry[1]} is missing from {shadow.folder}; compare or refine again")
    return found[entry[1]]
