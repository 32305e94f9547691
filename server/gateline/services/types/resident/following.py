"""Which writes of other programs a resident engine can follow.

mypy's fine-grained engine takes in new content of the files it knows. What changes which file a module is, or
what mypy is told to do, makes another build: that is started anew, from the cache.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from gateline.services.types.resident.engine import Engine

_MANY = 20
"""More files than this are not written by hand: a branch was switched. A new start is quicker then."""


def follows(engine: Engine, paths: Sequence[str]) -> bool:
    """Whether the engine can go on after these files were written, made or removed. Paths are absolute."""
    return len(paths) <= _MANY and all(_is_content(engine, path) for path in paths)


def replaces(engine: Engine, path: str) -> bool:
    """Whether a text where there was none takes the place of a file of the build: a stub, or a package's."""
    stem, ending = os.path.splitext(path)
    return ending in (".py", ".pyi") and not engine.knows(path) and _is_module(stem, engine.stems)


def _is_content(engine: Engine, path: str) -> bool:
    stem, ending = os.path.splitext(path)
    if ending not in (".py", ".pyi"):
        return False
    if engine.knows(path):
        return os.path.exists(path)
    return not _is_module(stem, engine.stems) and _last_name(stem) not in engine.missing


def _is_module(stem: str, stems: Iterable[str]) -> bool:
    """Whether a file could take the place of one that the build has: a stub's, or a package's."""
    return stem in stems or os.path.join(stem, "__init__") in stems or os.path.dirname(stem) in stems


def _last_name(stem: str) -> str:
    folder, name = os.path.split(stem)
    return os.path.basename(folder) if name == "__init__" else name
