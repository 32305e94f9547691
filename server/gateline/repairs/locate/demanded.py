"""Which expressions of a place a demand may concern: what is called, indexed, iterated, unpacked, hashed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from gateline.repairs.locate.places import Spot


def _called(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.func for node in spot.candidates(ast.Call))
    for function in spot.candidates(ast.FunctionDef):
        yield from function.decorator_list


def _iterated(spot: Spot) -> Iterator[ast.expr]:
    own = spot.exactly(ast.expr)
    holder = None if own is None else spot.code.parent(own)
    if (
        own is not None
        and not isinstance(own, ast.Call)
        and not isinstance(getattr(own, "ctx", None), ast.Store)
    ):
        yield own
    if isinstance(holder, ast.For | ast.comprehension):
        yield holder.iter
    yield from (loop.iter for loop in _loops(spot))
    for call in spot.candidates(ast.Call):
        yield from call.args
    for kind_of in (ast.Starred, ast.YieldFrom, ast.AugAssign, ast.Assign):
        yield from _values(spot, kind_of)


def _unpacked(spot: Spot) -> Iterator[ast.expr]:
    """What gives the values: of an assignment to several names, or of a loop with several."""
    target = spot.node
    for holder in [] if target is None else spot.code.ancestors(target):
        if isinstance(holder, ast.For | ast.comprehension):
            yield holder.iter
            return
        if isinstance(holder, ast.Assign):
            yield holder.value
            return
    yield from (loop.iter for loop in _loops(spot) if isinstance(loop.target, ast.Tuple | ast.List))
    yield from _values(spot, ast.Assign)


def _indexed(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.value for node in spot.candidates(ast.Subscript))


def _index(spot: Spot) -> Iterator[ast.expr]:
    for node in spot.candidates(ast.Subscript):
        if isinstance(node.slice, ast.Slice):
            yield from (part for part in (node.slice.lower, node.slice.upper, node.slice.step) if part)
        else:
            yield node.slice


def _argument(spot: Spot) -> Iterator[ast.expr]:
    for node in spot.candidates(ast.Call):
        yield from (a.value if isinstance(a, ast.Starred) else a for a in node.args)
        yield from (k.value for k in node.keywords)


def _mapped(spot: Spot) -> Iterator[ast.expr]:
    yield from (k.value for node in spot.candidates(ast.Call) for k in node.keywords if not k.arg)


def _displayed(spot: Spot) -> Iterator[ast.expr]:
    inner = (e for n in spot.candidates(ast.Tuple) for e in n.elts)
    yield from (element for element in inner if isinstance(element, ast.Tuple))


def _keyed(spot: Spot) -> Iterator[ast.expr]:
    """What must be hashed: an index, a key of a display, an element of a set, an argument."""
    yield from _index(spot)
    for display in spot.candidates(ast.Dict):
        yield from (key for key in display.keys if key)
    for elements in spot.candidates(ast.Set):
        yield from elements.elts
    yield from (node.left for node in spot.candidates(ast.Compare))
    yield from _argument(spot)
    for call in spot.candidates(ast.Call):
        yield from (e for a in call.args if isinstance(a, ast.Tuple) for e in a.elts)


def _contained(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.comparators[-1] for node in spot.candidates(ast.Compare))


def _left_of_in(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.left for node in spot.candidates(ast.Compare))


def _caught(spot: Spot) -> Iterator[ast.expr]:
    handlers = [
        *spot.candidates(ast.ExceptHandler),
        *(h for t in spot.candidates(ast.Try) for h in t.handlers),
    ]
    yield from (handler.type for handler in handlers if handler.type)
    own = spot.exactly(ast.expr)
    if own is not None and isinstance(spot.code.parent(own), ast.ExceptHandler):
        yield own


def _raised(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.exc for node in spot.candidates(ast.Raise) if node.exc)


def _formatted(spot: Spot) -> Iterator[ast.expr]:
    yield from (n.left for n in spot.candidates(ast.BinOp) if isinstance(n.op, ast.Mod))


def _format_arguments(spot: Spot) -> Iterator[ast.expr]:
    yield from (n.right for n in spot.candidates(ast.BinOp) if isinstance(n.op, ast.Mod))


def _assigned(spot: Spot) -> Iterator[ast.expr]:
    own = spot.exactly(ast.expr)
    if own is not None:
        yield own
    for kind_of in (ast.Assign, ast.AnnAssign, ast.Return, ast.AugAssign):
        yield from _values(spot, kind_of)


def _asked(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.value for node in spot.candidates(ast.Attribute))


def _awaited(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.value for node in spot.candidates(ast.Await))


def _operand(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.operand for node in spot.candidates(ast.UnaryOp))
    yield from _argument(spot)


def _any(spot: Spot) -> Iterator[ast.expr]:
    own = spot.exactly(ast.expr)
    if own is not None:
        yield own
    yield from spot.candidates(ast.expr)


def _loops(spot: Spot) -> list[ast.For | ast.comprehension]:
    return [*spot.candidates(ast.For), *spot.candidates(ast.comprehension)]


def _values(spot: Spot, kind_of: type[ast.AST]) -> Iterator[ast.expr]:
    values = (getattr(node, "value", None) for node in spot.candidates(kind_of))
    yield from (value for value in values if value is not None)


def _unused(spot: Spot) -> Iterator[ast.expr]:
    return _values(spot, ast.Expr)


def is_looped(spot: Spot, node: ast.expr) -> bool:
    """Whether a loop runs over an expression."""
    holder = spot.code.parent(node)
    return isinstance(holder, ast.For | ast.comprehension) and holder.iter is node


def _given(spot: Spot) -> Iterator[ast.expr]:
    yield from _argument(spot)
    yield from _left_of_in(spot)
    yield from (node for node in _any(spot) if not _is_asked_or_called(spot, node))


def _is_asked_or_called(spot: Spot, node: ast.expr) -> bool:
    """Whether it is only there for what is called: a function, or the module that has it."""
    holder = spot.code.parent(node)
    while isinstance(holder, ast.Attribute):
        node, holder = holder, spot.code.parent(holder)
    return isinstance(holder, ast.Call) and holder.func is node


DEMANDS: Mapping[str, Callable[[Spot], Iterator[ast.expr]]] = {
    "call": _called,
    "iterate": _iterated,
    "unpack": _unpacked,
    "index": _indexed,
    "store": _indexed,
    "position": _index,
    "argument": _argument,
    "given": _given,
    "hash": _keyed,
    "mapping": _mapped,
    "display": _displayed,
    "contain": _contained,
    "left": _left_of_in,
    "catch": _caught,
    "raise": _raised,
    "format": _formatted,
    "values": _format_arguments,
    "value": _assigned,
    "await": _awaited,
    "unused": _unused,
    "attribute": _asked,
    "operand": _operand,
    "expression": _any,
}
