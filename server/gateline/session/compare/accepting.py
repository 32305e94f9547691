"""Writes a candidate into the person's files, and records that they chose it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gateline.session.compare.comparing import Comparison
from gateline.session.compare.recorded import record_choice
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.savepoints import savepoints_here
from gateline.store.candidates.applying import Applied, apply_tree
from gateline.store.savepoints.values import SavepointError


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of the files, and of the record of the choice."""

    applied: Applied
    trouble: str = ""
    """Why the choice is not in the audit trail; empty: it is."""


def accept(root: Path, found: Comparison, name: str = "") -> Accepted:
    """Write what a candidate has changed into the work tree; the winner where no `name` is given. Blocks.

    Nothing is merged, committed or pushed, and no ref moves.

    Raises:
        UsageError: the candidate could not be compared.
        UndecidedError: there is no clear winner, or the files cannot be written.

    """
    chosen = name or found.ranking.winner
    names = ", ".join(one.name for one in found.given)
    if not chosen:
        raise UndecidedError(f"there is no clear winner to apply; choose one: --choose NAME ({names})")
    given = next((one for one in found.given if one.name == chosen), None)
    if given is None:
        raise UsageError(f"--choose {chosen!r} is not one of the compared candidates: {names}")
    before = given.origin or found.tree
    label = f"before applying {chosen}"
    try:
        applied = apply_tree(savepoints_here(root), before, given.tree, given.changed, label)
    except SavepointError as error:
        raise UndecidedError(f"{chosen} cannot be applied: {error}") from error
    return Accepted(applied, record_choice(root, found, given))
