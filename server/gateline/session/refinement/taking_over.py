"""What an editor writes when a person takes over what a loop found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateline.refinement.course import result_of
from gateline.refinement.state import LoopState
from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.recording.rollback import Rollback, Seen, rollback
from gateline.session.tasks.recording.texts import unsaved
from gateline.store.candidates.merging import merged
from gateline.store.candidates.scratch import changed_paths, tree_with
from gateline.store.savepoints.shadow import Entry, Shadow
from gateline.store.savepoints.values import Action, Step

_BOTH = "it was edited in the same lines meanwhile"
_MODE = "it is to be executable, which an editor does not change; use `gateline refine --apply`"
_EXECUTABLE = "100755"


def content_of(state: LoopState, number: int) -> str:
    """The tree that round `number` left; of 0 the best content. Raises ValueError for no such round."""
    if number == 0:
        return result_of(state)
    found = [done.tree for done in state.rounds if done.number == number]
    if not found:
        raise ValueError(f"loop {state.id} has no round {number}")
    return found[0]


def difference(journal: Journal, before: str, after: str) -> tuple[str, tuple[str, ...]]:
    """What differs between two trees as a diff, and the files. Blocks. Raises SavepointError."""
    shadow = journal.savepoints().shadow
    paths = changed_paths(shadow, before, after)
    return shadow.difference(before, after, paths), paths


def take_over(
    journal: Journal, state: LoopState, tree: str, open_texts: Mapping[str, str], seen: Seen
) -> Rollback:
    """What brings a person's files, with all unsaved texts, to what a loop found.

    A file that was edited meanwhile keeps these edits: both are in it where they fit together, else it is
    left alone. Blocks. Raises SavepointError and StoreError.
    """
    savepoints = journal.savepoints()
    shadow = savepoints.shadow
    texts = unsaved(journal.root, savepoints.root, open_texts)
    at = journal.now()
    now = savepoints.take(f"before taking over refine {state.id}", at, texts)
    changed = changed_paths(shadow, state.tree, tree)
    held = [shadow.files_of(one, changed) if changed else {} for one in (now.tree, state.tree, tree)]
    files: dict[str, bytes | None] = {}
    conflicts: list[Step] = []
    for path in changed:
        here, before, after = (_blob(shadow, entries.get(path)) for entries in held)
        fits, data = _both(here, before, after)
        if why := _BOTH if not fits else _becomes_executable(*(entries.get(path) for entries in held)):
            conflicts.append(Step(path, Action.CHANGE, "", "", "", why))
        elif data != here:
            files[path] = data
    target = savepoints.keep(tree_with(shadow, now.tree, files), f"refine {state.id}", at, now.tree)
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


def _becomes_executable(here: Entry | None, before: Entry | None, after: Entry | None) -> str:
    """Why a file is left to the shell; "" where its permissions stay."""
    modes = [entry[0] if entry is not None else "" for entry in (here, before, after)]
    return _MODE if modes[2] == _EXECUTABLE and _EXECUTABLE not in modes[:2] else ""


def _blob(shadow: Shadow, entry: Entry | None) -> bytes | None:
    return None if entry is None else shadow.contents([entry[1]]).get(entry[1])
