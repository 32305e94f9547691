"""What gives a loop's name its values: the `__next__` of an object that a function returned."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import Definition, definitions
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.locate.places import Spot

_METHODS = ("__next__", "__anext__", "__iter__", "__getitem__")
_ORDERED = frozenset({"reversed", "sorted", "list", "tuple", "iter"})


def iterated(knowledge: Knowledge, spot: Spot, node: ast.expr) -> Iterator[Definition]:
    """The methods of the workspace whose results a name of a loop holds, the likeliest first."""
    if not isinstance(node, ast.Name):
        return
    held = visible(spot.code, node).get(node.id)
    loop = spot.code.parent(held.node) if held is not None and held.node is not None else None
    if (
        not isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension)
        or held is None
        or loop.target is not held.node
    ):
        return
    for origin in origins(knowledge, spot, loop.iter):
        owner = dotted(origin.node.func).rpartition(".")[2] if isinstance(origin.node, ast.Call) else ""
        for method in _METHODS if owner[:1].isupper() else ():
            found = definitions(knowledge, f"{owner}.{method}")
            yield from (d for d in found if d.cls is not None and d.cls.name == owner)


def run_over(node: ast.expr) -> ast.expr | None:
    """What a loop runs over, also in another order: `reversed(rows)`."""
    if isinstance(node, ast.Call) and dotted(node.func) in _ORDERED and node.args:
        node = node.args[0]
    return node if isinstance(node, ast.Name | ast.Attribute) else None
