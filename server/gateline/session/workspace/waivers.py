"""The waivers that hold: those of the base's tree, and those that were asked for on the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from gateline.gates.waivers import Waivers, problem_of, read
from gateline.git import GitError
from gateline.model.waiver import FILE, Waiver
from gateline.session.errors import UsageError
from gateline.session.workspace.base import EMPTY_TREE, SESSION, Base
from gateline.session.workspace.git import Git

ASKED = "--accept"
"""The option, and the name of whoever used it."""


def base_waivers(git: Git | None, base: Base, today: date) -> Waivers:
    """The waivers that the base has; a waiver file of the change itself accepts nothing. Blocks."""
    if git is None or base.commit in (SESSION, EMPTY_TREE):
        return Waivers()
    name = f"{base.commit}:./{FILE}"
    try:
        blob = git.blobs([name]).get(name)
    except GitError:
        return Waivers()
    return Waivers() if blob is None else read(blob.decode("utf-8", "replace"), f"{FILE} of the base", today)


def asked_waivers(given: Iterable[tuple[str, str]], start: Path, root: Path) -> tuple[Waiver, ...]:
    """Waivers from `CODE:PATH[:SYMBOL]` and a reason. Raises UsageError."""
    return tuple(_asked(what, reason.strip(), start, root) for what, reason in given)


def _asked(what: str, reason: str, start: Path, root: Path) -> Waiver:
    code, _, rest = what.partition(":")
    path, _, symbol = rest.partition(":")
    if not path:
        raise UsageError(f"{ASKED} {what!r} is not CODE:PATH[:SYMBOL], as in GTL301:src/app.py:run")
    if wrong := problem_of(code):
        raise UsageError(f"{ASKED} {what!r}: {wrong}")
    if not reason:
        raise UsageError(f'{ASKED} {what!r} has no reason; add it: {ASKED} {what} "why"')
    full = Path(os.path.normpath(start.resolve() / path))
    inside = full.relative_to(root).as_posix() if full.is_relative_to(root) else path
    return Waiver(code, inside, reason, f"{ASKED} on the command line", symbol, asked=True)
