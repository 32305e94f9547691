"""What a name means in a module that only hands it on: `from ._threads import run_in_thread as run`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gateline.context.modules import Modules
from gateline.context.segment import File

_FARTHEST = 4
"""Modules from one to the other."""

Places = frozenset[tuple[str, str]]
"""Names and the files in which they may be defined."""


def handed_on(name: str, paths: Iterable[str], files: Mapping[str, File], modules: Modules) -> Places:
    """Where what is called `name` in some files may be defined else, and how it is called there."""
    found: set[tuple[str, str]] = set()
    waiting = {(name, path) for path in paths}
    for _ in range(_FARTHEST):
        waiting = {one for place in waiting for one in _next(*place, files, modules)} - found
        if not waiting:
            break
        found |= waiting
    return frozenset(found)


def _next(name: str, path: str, files: Mapping[str, File], modules: Modules) -> Iterator[tuple[str, str]]:
    file = files.get(path)
    for one in file.imports if file is not None else ():
        if one.name == "*" or (one.alias == name and one.name):
            module = modules.find(one.module, path)
            if module is not None:
                yield (name if one.name == "*" else one.name), module
