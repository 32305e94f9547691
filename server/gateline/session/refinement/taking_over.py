"""What a refinement loop found, as an editor shows it and takes it over."""

from __future__ import annotations

from collections.abc import Mapping

from gateline.refinement.course import result_of
from gateline.refinement.state import LoopState
from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.recording.rollback import Rollback, Seen
from gateline.session.tasks.recording.taking_over import Other, take_over
from gateline.store.candidates.scratch import changed_paths


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


def take_over_loop(
    journal: Journal, state: LoopState, tree: str, open_texts: Mapping[str, str], seen: Seen
) -> Rollback:
    """What brings a person's files to what a loop found. Blocks. Raises SavepointError and StoreError."""
    found = Other(state.tree, tree, f"refine {state.id}", "gateline refine --apply")
    return take_over(journal, found, open_texts, seen)
