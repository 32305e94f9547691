"""Which files of a build read another one."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Mapping

from mypy.build import Graph


def importers(graph: Graph, paths: Collection[str], root: str) -> dict[str, set[str]]:
    """Of each path: itself and the files below the root that import it, perhaps through others.

    Who imports a module reads the packages that it is in, too. Paths are absolute.
    """
    inside = root + os.sep
    files = {name: os.path.abspath(state.path) for name, state in graph.items() if state.path}
    files = {name: path for name, path in files.items() if path.startswith(inside)}
    by_module: dict[str, set[str]] = defaultdict(set)
    for name in files:
        state = graph[name]
        for imported in (*(state.ancestors or ()), *state.dependencies):
            by_module[imported].add(name)
    names = {path: name for name, path in files.items()}
    above = {path: _above(by_module, names[path]) for path in paths if path in names}
    return {path: {path, *(files[name] for name in above.get(path, ()))} for path in paths}


def _above(by_module: Mapping[str, set[str]], name: str) -> set[str]:
    found: set[str] = set()
    ahead = [name]
    while ahead:
        new = by_module.get(ahead.pop(), set()) - found
        found |= new
        ahead += new
    return found
