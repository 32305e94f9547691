"""What a change says in types: that an attribute or an answer is of another type from now on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.change_view import Both, on_both_sides
from gateline.model.names import last_name


def annotated_otherwise(both: Both) -> frozenset[str]:
    """The names of attributes, and of functions for their answers, of which another type is said now."""
    found: set[str] = set()
    for base, now in on_both_sides(both.product):
        before, after = dict(base.listed(_types)), dict(now.listed(_types))
        found |= {name for name in before.keys() & after.keys() if before[name] != after[name]}
    return frozenset(name.rpartition(".")[2] for name in found)


def _types(module: Module) -> Iterator[tuple[str, str]]:
    for name, function in module.all_functions.items():
        if function.returns is not None:
            yield name, unparsed(function.returns)
    for node, inside in module.owned:
        if isinstance(node, ast.AnnAssign):
            yield f"{inside}.{last_name(node.target)}", unparsed(node.annotation)
