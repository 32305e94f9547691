"""Lessons that nobody writes: what a person accepted, and what got worse.

Nothing here makes vectors: they are made when somebody asks. What goes wrong is told, and stops nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.memory.lesson import Anchor, Note, Source
from gateline.session.errors import UsageError
from gateline.store.database import StoreError

if TYPE_CHECKING:
    from gateline.model import Evaluation
    from gateline.worklog.scored import Regression

ASKED = "--accept"
"""The option by which a person accepts a finding for one verdict."""


def of_accepted(evaluation: Evaluation) -> Iterator[Note]:
    """What a person accepted for this verdict, and why."""
    for one in evaluation.accepted:
        if one.source.startswith(ASKED) and one.reason:
            found = one.finding
            anchor = Anchor(found.path, found.symbol, found.code)
            place = f"{found.path}{f' ({found.symbol})' if found.symbol else ''}"
            text = f"{found.code} is accepted in {place}: {one.reason}"
            yield Note(text, ("waiver", found.code.lower()), anchor, Source.WAIVER)


def of_regression(regression: Regression, branch: str) -> Note:
    """What got worse on a branch."""
    text = f"Regression on {branch or 'a detached commit'}: {regression}"
    tags = ("regression", regression.most or regression.what)
    return Note(text, tags, source=Source.REGRESSION, detail={"branch": branch})


def learned(root: Path, notes: Iterable[Note], folder: Path | None = None) -> str:
    """Store lessons; what went wrong, empty when nothing did. `folder` replaces the user's state folder."""
    from gateline.session.memory.memory import memory_of

    try:
        with memory_of(root, (), folder) as memory:
            for note in notes:
                memory.remember(note)
    except (StoreError, UsageError) as error:
        return f"nothing was remembered: {error}"
    return ""
