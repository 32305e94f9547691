"""What may stand at a place where an argument is missing: names in scope, by likeness and by use."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.scopes import Kind, attributes_of_self, loads, visible
from gateline.repairs.analysis.world import exports
from gateline.repairs.locate.places import Spot
from gateline.repairs.priors import prior

_COMMON = ("str", "dict", "list", "int", "tuple", "bytes")
_PRECEDENTS = 3
_CONSTANTS = ("None", "0", "1", '""', "[]", "{}", "True", "False")


def fillers(knowledge: Knowledge, spot: Spot, node: ast.expr, wanted: str) -> Iterator[tuple[str, float]]:
    """Expressions for a parameter called `wanted` ("" when it is not known), with their cost."""
    costs: dict[str, float] = {}
    for text, cost in (
        *_names(spot, node, wanted),
        *_handled(spot.code, node),
        *_attributes(spot, node, wanted),
        *_stars(knowledge, spot, wanted),
        *_elsewhere(spot, node),
        *_classes(spot, node),
        *_texts(spot, node),
    ):
        costs[text] = min(cost, costs.get(text, cost))
    for rank, text in enumerate(_CONSTANTS):
        costs.setdefault(
            text, prior("donors.argument-constant") + prior("donors.argument-constant-rank") * rank
        )
    yield from sorted(costs.items(), key=lambda row: row[1])


def _names(spot: Spot, node: ast.expr, wanted: str) -> Iterator[tuple[str, float]]:
    code = spot.code
    inside = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    nodes = list(walk_scope(code.scope(node)))
    for name in visible(code, node).values():
        if name.kind in {Kind.BUILTIN, Kind.IMPORT, Kind.FUNCTION, Kind.CLASS}:
            continue
        like = likeness(wanted, name.text) if wanted else None
        cost = (
            prior("donors.argument-name-unlike")
            if like is None
            else prior("donors.argument-name-like") + prior("donors.argument-name-per-likeness") * like
        )
        if name.kind in {Kind.MODULE, Kind.OUTER} and like is None:
            cost += prior("donors.argument-name-of-module")
        if name.text in inside or name.text in {"self", "cls"}:
            cost += prior("donors.argument-name-in-call")
        elif name.kind in {Kind.PARAMETER, Kind.LOCAL} and not loads(nodes, name.text):
            cost -= prior("donors.argument-name-unread")
        yield name.text, cost


def wrapped_target(code: Code, call: ast.Call) -> str:
    """The name that a call gives a new value, where others in the function take its old one first."""
    statement, function = code.parent(call), code.function(call)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Name) or function is None:
        return ""
    for other in walk_scope(function):
        if not isinstance(other, ast.Assign) or other is statement or not isinstance(other.value, ast.Call):
            continue
        first = other.value.args[0] if other.value.args else None
        if first is not None and dotted(other.targets[0]) == dotted(first) == target.id:
            return target.id
    return ""


def _handled(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """The exception that is handled here, which nothing tells of."""
    handler = code.around(node, ast.ExceptHandler)
    if handler is not None and handler.name and not loads(ast.walk(handler), handler.name):
        yield handler.name, prior("donors.argument-exception")


def _attributes(spot: Spot, node: ast.expr, wanted: str) -> Iterator[tuple[str, float]]:
    cls = spot.code.class_of(node)
    function = spot.code.function(node)
    if cls is None or function is None or not function.args.args:
        return
    me = function.args.args[0].arg
    for name in attributes_of_self(cls):
        like = likeness(wanted, name) if wanted else None
        if like is not None:
            yield (
                f"{me}.{name}",
                prior("donors.argument-attribute") + prior("donors.argument-attribute-per-likeness") * like,
            )


def _elsewhere(spot: Spot, node: ast.expr) -> Iterator[tuple[str, float]]:
    """What the same function is given last where the text calls it with one argument more."""
    if not isinstance(node, ast.Call):
        return
    func, count = ast.dump(node.func), len(node.args) + 1
    others = [n for n in spot.code.nodes if isinstance(n, ast.Call) and len(n.args) == count]
    given = Counter(spot.code.segment(n.args[-1]) for n in others if ast.dump(n.func) == func)
    for rank, (text, _) in enumerate(given.most_common(_PRECEDENTS)):
        yield (
            text,
            prior("donors.argument-of-other-call") + prior("donors.argument-of-other-call-rank") * rank,
        )


def _texts(spot: Spot, node: ast.expr) -> Iterator[tuple[str, float]]:
    """Names in quotes by which the function asks for items."""
    function = spot.code.function(node)
    items = (n for n in walk_scope(function) if isinstance(n, ast.Subscript)) if function is not None else ()
    keys = [spot.code.segment(n.slice) for n in items if isinstance(n.slice, ast.Constant)]
    named = [key for key in dict.fromkeys(keys) if key[:1] in {"'", '"'}]
    first, each = prior("donors.argument-key"), prior("donors.argument-key-rank")
    yield from ((key, first + each * rank) for rank, key in enumerate(named[:_PRECEDENTS]))


def given_by_others(code: Code, call: ast.Call) -> Iterator[tuple[int, str]]:
    """Constants that other calls of a function give, which have one argument more, with their places."""
    func, count = ast.dump(call.func), len(call.args) + 1
    others = [n for n in code.nodes if isinstance(n, ast.Call) and len(n.args) == count]
    found = Counter(
        (number, code.segment(argument))
        for other in others
        if ast.dump(other.func) == func
        for number, argument in enumerate(other.args)
        if isinstance(argument, ast.Constant)
    )
    yield from (place for place, _ in found.most_common(_PRECEDENTS))


def _classes(spot: Spot, node: ast.expr) -> Iterator[tuple[str, float]]:
    """The class that a value was seen to be of, where it is asked for its class."""
    if isinstance(node, ast.Call) and dotted(node.func) in {"isinstance", "issubclass"} and node.args:
        seen = spot.seen.get(dotted(node.args[0]), "").rpartition(".")[2]
        if seen in visible(spot.code, node):
            yield seen, prior("donors.argument-class-seen")
        for rank, name in enumerate(_COMMON):
            yield (
                name,
                prior("donors.argument-class-common") + prior("donors.argument-class-common-rank") * rank,
            )


def _stars(knowledge: Knowledge, spot: Spot, wanted: str) -> Iterator[tuple[str, float]]:
    """Names of modules that are imported as a whole."""
    for node in spot.code.nodes:
        if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*":
            continue
        if wanted in exports(knowledge, node.module or ""):
            yield wanted, prior("donors.argument-star-import")
