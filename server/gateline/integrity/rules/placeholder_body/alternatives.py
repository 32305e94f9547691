"""Functions that are empty where another one of their name does the work: for a machine, or in an heir."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gateline.analysis.modules import Function, Module
from gateline.model.names import last_name


def has_alternative(function: Function, module: Module) -> bool:
    """Whether the other side of the condition under which a function is defined defines it, too."""
    branches = (node for node, _ in module.owned if isinstance(node, ast.If))
    return any(_is_one_of_two(function, node) for node in branches)


def _is_one_of_two(function: Function, branch: ast.If) -> bool:
    for mine, other in ((branch.body, branch.orelse), (branch.orelse, branch.body)):
        if any(node is function for node in mine):
            return any(_does_more(node, function) for node in other)
    return False


def _does_more(node: ast.stmt, function: Function) -> bool:
    return isinstance(node, Function) and node.name == function.name and len(node.body) > len(function.body)


def heirs_methods(name: str, owner: ast.ClassDef, modules: Iterable[Module]) -> Iterator[Function]:
    """The methods of that name in the classes that inherit from `owner`."""
    for module in modules:
        for node in module.classes.values():
            if owner.name in map(last_name, node.bases):
                yield from (m for m in node.body if isinstance(m, Function) and m.name == name)
