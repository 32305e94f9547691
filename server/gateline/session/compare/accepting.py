"""Writes a candidate into the person's files, and records that they chose it."""

from __future__ import annotations

from pathlib import Path

from gateline.session.compare.comparing import Comparison
from gateline.session.compare.recorded import record_choice
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.savepoints import savepoints_here
from gateline.store.candidates.applying import Applied, apply_tree
from gateline.store.savepoints.values import SavepointError


def accept(root: Path, found: Comparison, name: str = "") -> Applied:
    """Write what a candidate has changed into the work tree; the winner where no `name` is given. Blocks.

    Nothing is merged, committed or pushed, and no ref moves.

    Raises:
        UsageError: there is no clear winner, or no such candidate was compared.
        UndecidedError: the files cannot be written.

    """
    chosen = name or found.ranking.winner
    if not chosen:
        names = ", ".join(one.name for one in found.given)
        raise UsageError(f"there is no clear winner to apply; choose one yourself: --choose NAME ({names})")
    given = next((one for one in found.given if one.name == chosen), None)
    if given is None:
        names = ", ".join(one.name for one in found.given)
        raise UsageError(f"--choose {chosen!r} was not compared; compared were: {names}")
    savepoints = savepoints_here(root)
    before = given.origin or found.tree
    try:
        applied = apply_tree(savepoints, before, given.tree, given.changed, f"before applying {chosen}")
    except SavepointError as error:
        raise UndecidedError(f"{chosen} cannot be applied: {error}") from error
    record_choice(root, found, given)
    return applied
