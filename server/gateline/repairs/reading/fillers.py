"""What may stand at a place where an argument is missing: names in scope, by likeness and by use."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Knowledge
from gateline.repairs.reading.code import walk_scope
from gateline.repairs.reading.likeness import cost as likeness
from gateline.repairs.reading.places import Spot
from gateline.repairs.reading.scopes import Kind, attributes_of_self, loads, visible
from gateline.repairs.reading.world import exports

_CONSTANTS = ("None", "0", "1", '""', "[]", "{}", "True", "False")


def fillers(knowledge: Knowledge, spot: Spot, node: ast.expr, wanted: str) -> Iterator[tuple[str, float]]:
    """Expressions for a parameter called `wanted` ("" when it is not known), with their cost."""
    costs: dict[str, float] = {}
    for text, cost in (
        *_names(spot, node, wanted),
        *_attributes(spot, node, wanted),
        *_stars(knowledge, spot, wanted),
    ):
        costs[text] = min(cost, costs.get(text, cost))
    for rank, text in enumerate(_CONSTANTS):
        costs.setdefault(text, 2.2 + 0.2 * rank)
    yield from sorted(costs.items(), key=lambda row: row[1])


def _names(spot: Spot, node: ast.expr, wanted: str) -> Iterator[tuple[str, float]]:
    code = spot.code
    inside = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    nodes = list(walk_scope(code.scope(node)))
    for name in visible(code, node).values():
        if name.kind in {Kind.BUILTIN, Kind.IMPORT, Kind.FUNCTION, Kind.CLASS}:
            continue
        like = likeness(wanted, name.text) if wanted else None
        cost = 1.4 if like is None else 0.2 + 0.7 * like
        if name.kind in {Kind.MODULE, Kind.OUTER} and like is None:
            cost += 0.8
        if name.text in inside or name.text in {"self", "cls"}:
            cost += 0.9
        elif name.kind in {Kind.PARAMETER, Kind.LOCAL} and not loads(nodes, name.text):
            cost -= 0.9
        yield name.text, cost


def _attributes(spot: Spot, node: ast.expr, wanted: str) -> Iterator[tuple[str, float]]:
    cls = spot.code.class_of(node)
    function = spot.code.function(node)
    if cls is None or function is None or not function.args.args:
        return
    me = function.args.args[0].arg
    for name in attributes_of_self(cls):
        like = likeness(wanted, name) if wanted else None
        if like is not None:
            yield f"{me}.{name}", 0.5 + 0.7 * like


def _stars(knowledge: Knowledge, spot: Spot, wanted: str) -> Iterator[tuple[str, float]]:
    """Names of modules that are imported as a whole."""
    for node in spot.code.nodes:
        if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*":
            continue
        if wanted in exports(knowledge, node.module or ""):
            yield wanted, 0.4
