"""Which files of a build read another one."""

from __future__ import annotations

import os
from collections.abc import Collection

from mypy.build import Graph, State


def importers(graph: Graph, paths: Collection[str], root: str) -> dict[str, set[str]]:
    """Of each path: itself and the files below the root that import it, perhaps through others.

    Who imports a module reads the packages that it is in, too. Paths are absolute.
    """
    inside = root + os.sep
    own = [s for s in graph.values() if s.path and os.path.abspath(s.path).startswith(inside)]
    by_module: dict[str, list[State]] = {}
    for state in own:
        for name in (*(state.ancestors or ()), *state.dependencies):
            by_module.setdefault(name, []).append(state)
    names = {os.path.abspath(state.path): state.id for state in own if state.path}
    return {path: {path, *_above(by_module, names[path])} if path in names else {path} for path in paths}


def _above(by_module: dict[str, list[State]], name: str) -> set[str]:
    found: dict[str, str] = {}
    ahead = [name]
    while ahead:
        new = {s.id: os.path.abspath(s.path) for s in by_module.get(ahead.pop(), ()) if s.path}
        new = {name: path for name, path in new.items() if name not in found}
        found |= new
        ahead += new
    return set(found.values())
