"""What a name means in a module that only hands it on: `from ._threads import run_in_thread as run`."""

from __future__ import annotations

from collections.abc import Iterable

from gateline.context.modules import Modules

_FARTHEST = 4
"""Modules from one to the other."""

Places = frozenset[tuple[str, str]]
"""Names and the files in which they may be defined."""


def handed_on(name: str, paths: Iterable[str], modules: Modules) -> Places:
    """Where what is called `name` in some files may be defined else, and how it is called there."""
    found: set[tuple[str, str]] = set()
    waiting = {(name, path) for path in paths}
    for _ in range(_FARTHEST):
        waiting = {one for name, path in waiting for one in modules.handed(path, name)} - found
        if not waiting:
            break
        found |= waiting
    return frozenset(found)
