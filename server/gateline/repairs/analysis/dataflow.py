"""Where a value comes from: assignments, arguments of callers, results of what was called.

The place to repair is often not the place of the error: a tuple by an accidental comma is used ten lines
below, a function without a `return` is called from another file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import Definition, called, classes
from gateline.repairs.analysis.code import Code, Function, parameters, walk_scope
from gateline.repairs.analysis.keys import values_of_key
from gateline.repairs.analysis.scopes import stores, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.call_arguments import given_to
from gateline.repairs.locate.places import Spot

_FURTHEST = 3
"""Guesses from the expression that failed."""
_MOST = 7
"""Steps of any kind."""


@dataclass(frozen=True)
class Origin:
    """An expression whose value another one has."""

    spot: Spot
    node: ast.expr
    steps: int = 0
    given: int = 0
    """The steps among them that are no guess: along the calls which led there, or into a choice or call."""

    @property
    def code(self) -> Code:
        """The text in which it stands."""
        return self.spot.code


def origins(knowledge: Knowledge, spot: Spot, node: ast.expr) -> Iterator[Origin]:
    """The expression itself, and what its value comes from, the nearest first."""
    waiting = [Origin(spot, node)]
    seen: set[ast.AST] = set()
    while waiting:
        origin = waiting.pop(0)
        if origin.node in seen:
            continue
        seen.add(origin.node)
        yield origin
        if origin.steps < _MOST:
            waiting += [o for o in _earlier(knowledge, origin) if o.steps - o.given <= _FURTHEST]


def _earlier(knowledge: Knowledge, origin: Origin) -> Iterator[Origin]:
    for one in _before(knowledge, origin):
        is_part = isinstance(origin.node, ast.Call) and one.node in origin.node.args
        is_sure = one.spot.number > origin.spot.number or isinstance(origin.node, ast.IfExp) or is_part
        given = origin.given + is_sure
        yield replace(one, steps=origin.steps + 1, given=given)


def _before(knowledge: Knowledge, origin: Origin) -> Iterator[Origin]:
    node, spot = origin.node, origin.spot
    if isinstance(node, ast.Name):
        yield from _of_name(knowledge, spot, node)
    elif isinstance(node, ast.Attribute):
        yield from _of_attribute(spot, node)
        yield from _of_other_class(knowledge, spot, node)
        yield from _of_property(spot.code, node)
    elif isinstance(node, ast.Call):
        yield from _of_call(knowledge, spot, node)
        yield from _handed_through(spot, node)
    elif isinstance(node, ast.IfExp):
        yield from (Origin(spot, part) for part in (node.body, node.orelse))
    elif isinstance(node, ast.BinOp):
        yield from (Origin(spot, part) for part in (node.left, node.right) if isinstance(part, ast.Name))
    elif isinstance(node, ast.BoolOp):
        yield from (Origin(spot, part) for part in reversed(node.values))
    elif isinstance(node, ast.Subscript | ast.Starred | ast.Await | ast.NamedExpr):
        yield from _inside(spot, node)


def _inside(spot: Spot, node: ast.expr) -> Iterator[Origin]:
    """The element of a display that an index takes; what is wrapped, or cut."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        yield Origin(spot, node.value)  # type: ignore[attr-defined]
        return
    held = list(_in_display(spot, node))
    yield from held or (Origin(spot, value) for value in values_of_key(spot.code, node))


def _in_display(spot: Spot, node: ast.Subscript) -> Iterator[Origin]:
    """What the display holds that a name or an attribute was given."""
    if isinstance(node.value, ast.Name | ast.Attribute):
        for value in _held(spot, node.value):
            if isinstance(value, ast.Dict):
                yield from (Origin(spot, v) for v in value.values)
            elif isinstance(value, ast.List | ast.Tuple):
                yield from (Origin(spot, v) for v in value.elts)


def _held(spot: Spot, node: ast.Name | ast.Attribute) -> list[ast.expr]:
    if isinstance(node, ast.Name):
        return _assigned_values(spot.code, node)
    return [origin.node for origin in _of_attribute(spot, node)]


def _of_name(knowledge: Knowledge, spot: Spot, node: ast.Name) -> Iterator[Origin]:
    yield from (Origin(spot, value) for value in _assigned_values(spot.code, node))
    name = visible(spot.code, node).get(node.id)
    if name is not None and isinstance(name.node, ast.arg):
        yield from (Origin(*given) for given in given_to(knowledge, spot, name.node))
    elif name is not None and isinstance(name.node, ast.Name):
        yield from _of_loop(knowledge, spot, name.node)
        yield from _of_part(knowledge, spot, name.node)


def _of_loop(knowledge: Knowledge, spot: Spot, target: ast.Name) -> Iterator[Origin]:
    """What the generator yields over which a loop runs that binds a name."""
    holder = spot.code.parent(target)
    pair = holder if isinstance(holder, ast.Tuple) else None
    loop = spot.code.parent(pair) if pair is not None else holder
    if isinstance(loop, ast.For | ast.comprehension) and pair is None:
        yield from _elements(spot, loop.iter)
    if not isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension) or not isinstance(
        loop.iter, ast.Call
    ):
        return
    for definition in called(knowledge, spot, loop.iter)[:2]:
        inside = Spot(definition.code, definition.node.lineno - 1)
        for node in walk_scope(definition.node):
            value = node.value if isinstance(node, ast.Yield) else None
            if pair is None and value is not None:
                yield Origin(inside, value)
            elif pair is not None and isinstance(value, ast.Tuple) and len(value.elts) == len(pair.elts):
                yield Origin(inside, value.elts[pair.elts.index(target)])


def _of_part(knowledge: Knowledge, spot: Spot, target: ast.Name) -> Iterator[Origin]:
    """The value at its place in what a function returns: `low, high = bounds(rows)`."""
    pair = spot.code.parent(target)
    given = spot.code.parent(pair) if isinstance(pair, ast.Tuple) else None
    if not isinstance(pair, ast.Tuple) or not isinstance(given, ast.Assign):
        return
    for definition in called(knowledge, spot, given.value)[:2] if isinstance(given.value, ast.Call) else ():
        inside = Spot(definition.code, definition.node.lineno - 1)
        for value in returned(definition):
            if isinstance(value, ast.Tuple) and len(value.elts) == len(pair.elts):
                yield Origin(inside, value.elts[pair.elts.index(target)])


def _elements(spot: Spot, node: ast.expr) -> Iterator[Origin]:
    """The elements of what a loop runs over, where that was made by a comprehension."""
    values = _held(spot, node) if isinstance(node, ast.Name | ast.Attribute) else [node]
    for value in values:
        if isinstance(value, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            yield Origin(Spot(spot.code, value.lineno - 1, value.elt), value.elt)


def _assigned_values(code: Code, node: ast.Name) -> list[ast.expr]:
    """What is assigned to a name, in its own scope or where it is bound; the nearest above first."""
    name = visible(code, node).get(node.id)
    if name is None or name.node is None:
        return []
    scope = code.scope(name.node)
    found = [
        (s.lineno, v) for s in stores(walk_scope(scope), node.id) if (v := value_of(code, s)) is not None
    ]
    line = node.lineno
    return [value for at, value in sorted(found, key=lambda row: (row[0] > line, -row[0]))]


def value_of(code: Code, store: ast.expr) -> ast.expr | None:
    """The expression that an assignment gives to a name or an attribute; None when it cannot be told."""
    parent = code.parent(store)
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        return parent.value
    if isinstance(parent, ast.Tuple) and isinstance(outer := code.parent(parent), ast.Assign):
        values = outer.value
        if isinstance(values, ast.Tuple) and len(values.elts) == len(parent.elts):
            return values.elts[parent.elts.index(store)]
    return None


def given_besides(spot: Spot) -> Iterator[ast.expr]:
    """What other assignments give to the name, or to the attribute, that is assigned at a spot."""
    code = spot.code
    for assigned in spot.candidates(ast.Assign)[:1]:
        name = dotted(assigned.targets[0])
        last = name.rpartition(".")[2]
        scope = code.scope(assigned)
        others = code.stored_attributes.get(last, ()) if "." in name else stores(walk_scope(scope), last)
        for store in others:
            value = value_of(code, store)
            if value is not None and dotted(store) == name and value is not assigned.value:
                yield value


def _of_attribute(spot: Spot, node: ast.Attribute) -> Iterator[Origin]:
    """What the class sets the attribute to."""
    cls = spot.code.class_of(node)
    if cls is None or not isinstance(node.value, ast.Name):
        return
    for inner in spot.code.stored_attributes.get(node.attr, ()):
        if dotted(inner) == dotted(node) and cls in spot.code.ancestors(inner):
            value = value_of(spot.code, inner)
            if value is not None:
                yield Origin(spot, value)
    if node.value.id in {"self", "cls", cls.name}:
        stored = stores(walk_scope(cls), node.attr)
        yield from (Origin(spot, v) for s in stored if (v := value_of(spot.code, s)) is not None)


def _of_other_class(knowledge: Knowledge, spot: Spot, node: ast.Attribute) -> Iterator[Origin]:
    """What another class sets the attribute to: that of the object it is asked of."""
    if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
        return
    owner = Kinds(spot.code, knowledge, spot.seen).of(node.value)
    for code, cls in classes(knowledge, owner) if owner else ():
        given = code.stored_attributes.get(node.attr, ())
        own = [n for n in given if dotted(n.value) == "self" and cls in code.ancestors(n)]
        for store in (*own, *stores(walk_scope(cls), node.attr)):
            if (value := value_of(code, store)) is not None:
                yield Origin(Spot(code, value.lineno - 1), value)


def _of_property(code: Code, node: ast.Attribute) -> Iterator[Origin]:
    """What a property of the same text returns."""
    for function in code.functions.get(node.attr, ()):
        if any(dotted(d).rpartition(".")[2].endswith("property") for d in function.decorator_list):
            inside = Spot(code, function.lineno - 1)
            yield from (Origin(inside, value) for value in returned(Definition(code, function)))


def _of_call(knowledge: Knowledge, spot: Spot, node: ast.Call) -> Iterator[Origin]:
    """What the function returns."""
    for definition in called(knowledge, spot, node)[:2]:
        inside = Spot(definition.code, definition.node.lineno - 1)
        yield from (Origin(inside, value) for value in returned(definition))


_DEFAULTS = {"get": 1, "pop": 1, "getattr": 2, "next": 1, "setdefault": 1}
"""Lookups, and where their default stands."""
_SAME = {"cast": 1, "copy": 0, "deepcopy": 0, "iter": 0}
"""Functions that give what they are given, and where that stands."""


def _handed_through(spot: Spot, node: ast.Call) -> Iterator[Origin]:
    """The default of a lookup; what is given to a function that gives it back."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
    number = _SAME.get(name, _DEFAULTS.get(name))
    if number is not None and len(node.args) == number + 1:
        yield Origin(spot, node.args[number])


def returned(definition: Definition) -> list[ast.expr]:
    """The expressions that a function returns."""
    if isinstance(definition.node, ast.Lambda):
        return [definition.node.body]
    nodes = walk_scope(definition.node)
    return [n.value for n in nodes if isinstance(n, ast.Return) and n.value is not None]


def takes(function: Function | ast.Lambda, name: str) -> bool:
    """Whether a function has a parameter of a name."""
    return any(a.arg == name for a in parameters(function))
