"""What an editor shows and writes of a candidate that was compared."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from gateline.protocol.comparisons import CandidateDiffResult, SidesResult
from gateline.session.compare.comparing import Comparison
from gateline.session.errors import UsageError
from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.recording.rollback import Rollback, Seen
from gateline.session.tasks.recording.taking_over import Other, take_over
from gateline.store.candidates.trees import Given, Trees

_LARGEST = 1_000_000
"""Bytes of a text that an editor is given."""


def find(found: Comparison, name: str) -> Given:
    """A candidate of a comparison. Raises UsageError where it was not compared."""
    given = next((one for one in found.given if one.name == name), None)
    if given is None:
        names = ", ".join(one.name for one in found.given)
        raise UsageError(f"candidate {name!r} was not compared; compared were: {names}")
    return given


def difference(journal: Journal, found: Comparison, given: Given) -> CandidateDiffResult:
    """What a candidate changed. Blocks. Raises SavepointError."""
    savepoints = journal.savepoints()
    trees = Trees(savepoints, journal.root)
    before = given.origin or found.tree
    sides = [trees.contents(tree, given.changed) for tree in (before, given.tree)]
    files = (
        SidesResult(path=path, before=_text(sides[0].get(path)), after=_text(sides[1].get(path)))
        for path in given.changed
    )
    return CandidateDiffResult(diff=trees.diff(before, given.tree), files=tuple(files))


def accept(
    journal: Journal, found: Comparison, given: Given, open_texts: Mapping[str, str], seen: Seen
) -> Rollback:
    """What brings a person's files to what a candidate changed. Blocks.

    Raises SavepointError and StoreError.
    """
    names = (one.name for one in found.given)
    command = shlex.join(["gateline", "compare", *names, "--base", found.base, "--choose", given.name])
    other = Other(given.origin or found.tree, given.tree, f"candidate {given.name}", command)
    return take_over(journal, other, open_texts, seen)


def _text(data: bytes | None) -> str | None:
    """What an editor can show; None: no text, or none that is worth it."""
    if data is None or len(data) > _LARGEST or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
