"""A value of the wrong type: which expression holds it, what it is, and what is wanted instead."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gateline.model import Knowledge, Place, Problem
from gateline.repairs.reading.kinds import Kinds, dotted, kind
from gateline.repairs.reading.messages import Saying, types_of, understand, wordings
from gateline.repairs.reading.operands import doubt_of, operands
from gateline.repairs.reading.origins import given_besides
from gateline.repairs.reading.places import Spot, spots

TABLE = wordings("mismatch")
MISMATCHES = types_of(TABLE)
CALLABLE = frozenset(
    {"function", "method", "builtin_function_or_method", "type", "method_descriptor", "ABCMeta"}
)
"""The types of what can be called: messages take one for the other."""
_AGGREGATES = {"sum", "max", "min", "sorted", "sort"}


@dataclass(frozen=True)
class Mismatch:
    """An expression that may be at fault."""

    spot: Spot
    node: ast.expr
    actual: str
    """The type it has, as far as it is told."""
    wanted: str
    """A type, or what must be possible: `call`, `iterate`, `index`, `len`, `hash`, `store`, `unpack`, …"""
    says: str
    doubt: float = 0.0
    """What its repairs cost more than those of the first."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.spot.code.path, self.spot.code.span(self.node))


def mismatches(problem: Problem, knowledge: Knowledge) -> list[Mismatch]:
    """The expressions that a problem may mean, likeliest first; empty when it is about something else."""
    said = understand(problem, TABLE)
    if said is None:
        return []
    for spot in spots(problem, knowledge)[:2]:
        found = list(_FINDERS[said.says.partition(":")[0]](said, spot, knowledge))
        if found:
            found += _begun_otherwise(said, spot) if problem.type == "assignment" else ()
            return sorted(found, key=lambda m: m.doubt)
    return []


def _begun_otherwise(said: Saying, spot: Spot) -> Iterator[Mismatch]:
    """What a type checker reports of an assignment may be the fault of the first one: `first = True,`."""
    for value in given_besides(spot):
        place = Spot(spot.code, value.lineno - 1, value)
        yield Mismatch(place, value, kind(said["wanted"]), kind(said["type"]), "one:value", 0.2)


Finder = Callable[[Saying, Spot, Knowledge], Iterator[Mismatch]]


def _pair(said: Saying, spot: Spot, knowledge: Knowledge) -> Iterator[Mismatch]:
    """Two operands that do not go together: either may be wrong."""
    kinds = Kinds(spot.code, knowledge, spot.seen)
    left_kind, right_kind = kind(said["left"]), kind(said["right"])
    if not left_kind:
        # `3.5 * "a"` and `"a" * 3.5` are told alike: the other operand is the one named.
        for left, right in operands(spot, said["op"]):
            if _may_be(kinds, left, right_kind) and not _may_be(kinds, right, right_kind):
                yield Mismatch(spot, right, kinds.of(right), right_kind, said.says)
            for one in (left, right):
                if _may_be(kinds, one, right_kind):
                    yield Mismatch(spot, one, right_kind, "int", said.says, 0.05)
    for number, (left, right) in enumerate(operands(spot, said["op"])):
        if not (_may_be(kinds, left, left_kind) and _may_be(kinds, right, right_kind)):
            continue
        doubt = number * 0.5 + doubt_of(said["op"], left_kind, right_kind)
        yield Mismatch(spot, right, right_kind, left_kind, said.says, doubt)
        doubt = number * 0.5 + 0.1 + doubt_of(said["op"], right_kind, left_kind)
        yield Mismatch(spot, left, left_kind, right_kind, said.says, doubt)
    yield from _aggregated(spot, left_kind, right_kind)


def _may_be(kinds: Kinds, node: ast.expr, told: str) -> bool:
    found = kinds.of(node).rpartition(".")[2]
    if not found or not told or told == "object":
        return True
    if told == "NoneType" and isinstance(node, ast.Call | ast.Name | ast.Attribute | ast.Subscript):
        # What a function returns at other times says nothing of this one; what a name held there does.
        return kinds.held(node) in {"", "NoneType"}
    return found == told.rpartition(".")[2] or {found, told} <= CALLABLE


def _one(said: Saying, spot: Spot, knowledge: Knowledge) -> Iterator[Mismatch]:
    """One expression that cannot do what is asked of it: the demand says which."""
    kinds = Kinds(spot.code, knowledge, spot.seen)
    demand, _, wanted = said.says.partition(":")[2].partition(":")
    for doubt, node in enumerate(_DEMANDS[demand](spot)):
        # What cannot be unpacked is an element of what a loop runs over.
        told = "" if demand == "unpack" and _is_looped(spot, node) else kind(said["type"])
        if _may_be(kinds, node, told):
            needed = said["wanted"] or wanted or demand
            # One that is known to be of the type told is likelier than one of which nothing is known.
            each = 0.1 if told and kinds.of(node).rpartition(".")[2] == told.rpartition(".")[2] else 0.4
            yield Mismatch(spot, node, told or kinds.of(node), needed, f"one:{demand}", each * doubt)


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


def _is_looped(spot: Spot, node: ast.expr) -> bool:
    holder = spot.code.parent(node)
    return isinstance(holder, ast.For | ast.comprehension) and holder.iter is node


def _aggregated(spot: Spot, left: str, right: str) -> Iterator[Mismatch]:
    """What `sum`, `max`, `sorted` add up or compare among themselves."""
    for call in spot.candidates(ast.Call):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
        for argument in call.args[:1] if name in _AGGREGATES else ():
            if isinstance(argument, ast.GeneratorExp | ast.ListComp):
                yield Mismatch(spot, argument.elt, right, left, "pair", 0.1)
            else:
                yield Mismatch(spot, argument, "", "order", "pair", 0.1)


def _given(spot: Spot) -> Iterator[ast.expr]:
    yield from _argument(spot)
    yield from _left_of_in(spot)
    yield from _any(spot)


_DEMANDS: Mapping[str, Callable[[Spot], Iterator[ast.expr]]] = {
    "call": _called,
    "iterate": _iterated,
    "unpack": _unpacked,
    "index": _indexed,
    "store": _indexed,
    "position": _index,
    "argument": _argument,
    "given": _given,
    "hash": _keyed,
    "contain": _contained,
    "left": _left_of_in,
    "catch": _caught,
    "raise": _raised,
    "format": _formatted,
    "values": _format_arguments,
    "value": _assigned,
    "await": _awaited,
    "attribute": _asked,
    "operand": _operand,
    "expression": _any,
}

_FINDERS: Mapping[str, Finder] = {"pair": _pair, "one": _one}
