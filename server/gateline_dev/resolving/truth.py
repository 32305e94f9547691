"""What each name of a package means, by mypy's own build of it: in a process of its own, without a deadline.

`python -m gateline_dev.resolving.truth FOLDER PACKAGE` prints it as JSON.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

_LONGEST = 600.0
"""Seconds for one package."""


class Reference(NamedTuple):
    """A name, and the definition that mypy says it means. Lines and columns are zero-based."""

    path: str
    line: int
    column: int
    name: str
    is_member: bool
    """Whether it stands behind a dot."""
    is_called: bool
    target: str
    """The full name of the definition."""
    receiver: str
    """The full name by which mypy found it: of the class of the receiver."""
    defined: str
    """The path of the definition."""
    lines: tuple[int, ...]
    """Where it begins: of an overloaded one each."""
    overridden: tuple[str, ...] = ()
    """The full names of what it overrides: a call of one of these may reach it."""


def references(root: Path, package: str) -> list[Reference]:
    """All names of a package below `root` that mean a function or a class of it. Raises OSError."""
    command = [sys.executable, "-m", __name__, str(root), package]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LONGEST, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "mypy failed")
    return [Reference._make([*row[:-2], tuple(row[-2]), tuple(row[-1])]) for row in json.loads(done.stdout)]


class _Build:
    """mypy's build of a package."""

    def __init__(self, package: str) -> None:
        # Imported here: who only draws positions does not wait for it.
        from mypy import build
        from mypy.find_sources import create_source_list
        from mypy.options import Options

        options = Options()
        options.export_types = options.preserve_asts = options.check_untyped_defs = True
        options.ignore_missing_imports = True
        options.incremental, options.cache_dir = False, os.devnull
        options.python_executable = sys.executable
        found = build.build(create_source_list([package], options), options)
        self.types = found.types
        self.trees = {name: state.tree for name, state in found.graph.items() if state.tree and state.path}
        self.paths = {name: os.path.relpath(str(found.graph[name].path)) for name in self.trees}

    def node(self, full: str) -> Any:
        """The node that a full name means: a class's member is looked for in its bases."""
        parts = full.split(".")
        for end in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:end])
            if module in self.trees:
                return self._below(self.trees[module].names, parts[end:])
        return None

    def _below(self, names: Any, parts: list[str]) -> Any:
        node: Any = None
        for part in parts:
            scopes = [base.names for base in node.mro] if hasattr(node, "mro") else [names] * (node is None)
            symbol = next((scope[part] for scope in scopes if part in scope), None)
            if symbol is None:
                return None
            node = symbol.node
        return node

    def overridden(self, full: str) -> tuple[str, ...]:
        """What a method overrides in the bases of its class."""
        owner, _, name = full.rpartition(".")
        found = self.node(owner)
        bases = found.mro[1:] if hasattr(found, "mro") else []
        return tuple(f"{base.fullname}.{name}" for base in bases if name in base.names)

    def module_of(self, full: str) -> str:
        """The module in which something of a full name stands."""
        parts = full.split(".")
        names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        return next((name for name in names if name in self.trees), "")


def _told(build: _Build, name: str) -> Iterator[Reference]:
    from mypy.refinfo import get_undocumented_ref_info_json

    path = build.paths[name]
    places = dict(_places(Path(path).read_text(encoding="utf-8")))
    for row in get_undocumented_ref_info_json(build.trees[name], build.types):
        receiver = str(row["target"])
        node = None if receiver.startswith("*") else build.node(receiver)
        lines, target = _lines(node), _full(node)
        place = places.get((int(str(row["line"])), int(str(row["column"])), receiver.rpartition(".")[2]))
        defined = build.paths.get(build.module_of(target), "")
        if lines and place and not defined.startswith(".."):
            overridden = build.overridden(target)
            yield Reference(path, *place, target, receiver, defined, lines, overridden)


def _places(text: str) -> Iterator[tuple[tuple[int, int, str], tuple[int, int, str, bool, bool]]]:
    """By where mypy says that a name is: where it is. Lines that are not ASCII are left out."""
    tree = ast.parse(text)
    lines = text.split("\n")
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            line, name = node.end_lineno or node.lineno, node.attr
            column = (node.end_col_offset or 0) - len(name)
        elif isinstance(node, ast.Name):
            line, column, name = node.lineno, node.col_offset, node.id
        else:
            continue
        if lines[line - 1].isascii():
            key = (node.lineno, node.col_offset, name)
            yield key, (line - 1, column, name, isinstance(node, ast.Attribute), id(node) in called)


def _lines(node: Any) -> tuple[int, ...]:
    """Where a function or a class begins, zero-based; of anything else nowhere."""
    kind = type(node).__name__
    if kind == "OverloadedFuncDef":
        parts = [*node.items, *([node.impl] if node.impl else [])]
        return tuple(sorted({line for part in parts for line in _lines(part)}))
    if kind == "Decorator":
        return _lines(node.func)
    if kind == "FuncDef":
        return (node.line - 1,)
    return (node.defn.line - 1,) if kind == "TypeInfo" else ()


def _full(node: Any) -> str:
    found = getattr(node, "func", node)
    return str(getattr(found, "fullname", ""))


def main(given: Mapping[int, str]) -> None:
    """Print the references of a package."""
    os.chdir(given[1])
    build = _Build(given[2])
    inside = [name for name, path in build.paths.items() if path.startswith(given[2] + os.sep)]
    print(json.dumps([row for name in sorted(inside) for row in _told(build, name)]))


if __name__ == "__main__":
    main(dict(enumerate(sys.argv)))
