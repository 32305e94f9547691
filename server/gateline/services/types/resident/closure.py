"""How many modules texts would bring into a build that is there already.

mypy's fine-grained engine takes in new modules one by one, and reads all that are left again for each: a test
that imports pytest brings 300, and took 55 s where filling a cache takes two. So they are counted beforehand.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Protocol

from gateline.model.imports import imported_names

MANY = 15
"""More new modules than this are taken in sooner by an ordinary run, which fills the cache."""
Module = tuple[str, str]
"""A module's name and the path of its text, as mypy pairs them."""


class Build(Protocol):
    """What is known of modules already, and where others are."""

    def has(self, name: str) -> bool:
        """Whether a module need not be taken in, or the name is known to be none."""
        ...

    def find(self, name: str) -> str | None:
        """The path of a module that would be followed; None where there is none."""
        ...

    def read(self, path: str) -> bytes:
        """The content of a file. Raises OSError."""
        ...


def brings_many(build: Build, modules: Iterable[Module]) -> bool:
    """Whether the imports of these modules lead to more than `MANY` that the build does not have."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting and len(seen) <= MANY:
        for name in imports_of(build, waiting.pop()):
            if name in seen or build.has(name):
                continue
            found = build.find(name)
            if found is not None:
                seen.add(name)
                waiting.append((name, found))
    return len(seen) > MANY


def imports_of(build: Build, module: Module) -> Iterator[str]:
    """The names that a module imports itself; those of its functions and classes among them."""
    name, path = module
    is_package = os.path.basename(path).startswith("__init__.")
    place = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
    try:
        yield from imported_names(place, build.read(path))
    except OSError:
        return
