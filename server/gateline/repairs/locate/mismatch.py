"""A value of the wrong type: which expression holds it, what it is, and what is wanted instead."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gateline.model import Knowledge, Origin, Place, Problem
from gateline.model.names import dotted
from gateline.repairs.analysis.dataflow import given_besides
from gateline.repairs.analysis.types import Kinds, kind
from gateline.repairs.locate.demanded import DEMANDS, is_looped
from gateline.repairs.locate.messages import Saying, types_of, understand, wordings
from gateline.repairs.locate.operands import doubt_of, operands
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

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
    doubt: float = 0
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
    for spot in _refusing(spots(problem, knowledge))[:2]:
        found = list(_FINDERS[said.says.partition(":")[0]](said, spot, knowledge))
        if not found and problem.origin is Origin.RUN and said.says == "pair":
            found = list(_unlike_promised(said, spot))
        if found:
            found += _begun_otherwise(said, spot) if problem.type == "assignment" else ()
            return sorted(found, key=lambda m: m.doubt)
    return []


def _refusing(found: list[Spot]) -> list[Spot]:
    """The places without a stand-in of a test that says itself what it does not take: its caller is meant."""
    first = found[0] if len(found) > 1 and is_test(found[0].code.path) else None
    at = None if first is None or first.node is None else first.code.statement(first.node)
    return found[1:] if isinstance(at, ast.Raise) else found


def _begun_otherwise(said: Saying, spot: Spot) -> Iterator[Mismatch]:
    """What a type checker reports of an assignment may be the fault of the first one: `first = True,`."""
    for value in given_besides(spot):
        place = Spot(spot.code, value.lineno - 1, value)
        doubt = prior("locate.begun-otherwise")
        yield Mismatch(place, value, kind(said["wanted"]), kind(said["type"]), "one:value", doubt)


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
                    yield Mismatch(spot, one, right_kind, "int", said.says, prior("locate.pair-one-named"))
    for number, (left, right) in enumerate(operands(spot, said["op"])):
        if not (_may_be(kinds, left, left_kind) and _may_be(kinds, right, right_kind)):
            continue
        rank = number * prior("locate.pair-rank")
        doubt = rank + doubt_of(said["op"], left_kind, right_kind)
        yield Mismatch(spot, right, right_kind, left_kind, said.says, doubt)
        doubt = rank + prior("locate.pair-left") + doubt_of(said["op"], right_kind, left_kind)
        yield Mismatch(spot, left, left_kind, right_kind, said.says, doubt)
    yield from _aggregated(spot, left_kind, right_kind)


def _unlike_promised(said: Saying, spot: Spot) -> Iterator[Mismatch]:
    """A call whose annotation says otherwise than what the run met: that function is at fault."""
    left_kind, right_kind = kind(said["left"]), kind(said["right"])
    for left, right in operands(spot, said["op"]):
        if isinstance(right, ast.Call):
            yield Mismatch(spot, right, right_kind, left_kind, said.says)
        if isinstance(left, ast.Call):
            yield Mismatch(spot, left, left_kind, right_kind, said.says, prior("locate.promised-left"))


def _may_be(kinds: Kinds, node: ast.expr, told: str) -> bool:
    found = kinds.of(node).rpartition(".")[2]
    if not found or not told or told == "object":
        return True
    if told == "NoneType" and isinstance(node, ast.Call | ast.Name | ast.Attribute | ast.Subscript):
        # What a function returns at other times says nothing of this one; what a name held there does.
        return kinds.held(node) in {"", "NoneType"}
    # A run says `coroutine`, an annotation `Coroutine`.
    return found.lower() == told.rpartition(".")[2].lower() or {found, told} <= CALLABLE


def _one(said: Saying, spot: Spot, knowledge: Knowledge) -> Iterator[Mismatch]:
    """One expression that cannot do what is asked of it: the demand says which."""
    kinds = Kinds(spot.code, knowledge, spot.seen)
    demand, _, wanted = said.says.partition(":")[2].partition(":")
    for doubt, node in enumerate(_asked_for(spot, demand, said["name"])):
        if demand == "hash" and kinds.held(node) in {"tuple", "frozenset"}:
            # What cannot be hashed is an element of it.
            yield Mismatch(spot, node, "", demand, f"one:{demand}", prior("locate.unhashable-rank") * doubt)
        # What cannot be unpacked is an element of what a loop runs over.
        told = "" if demand == "unpack" and is_looped(spot, node) else kind(said["type"])
        if _may_be(kinds, node, told):
            needed = said["wanted"] or wanted or demand
            # One that is known to be of the type told is likelier than one of which nothing is known.
            is_told = told and kinds.of(node).rpartition(".")[2] == told.rpartition(".")[2]
            each = prior("locate.one-told-rank" if is_told else "locate.one-rank")
            yield Mismatch(spot, node, told or kinds.of(node), needed, f"one:{demand}", each * doubt)


def _asked_for(spot: Spot, demand: str, name: str) -> Iterator[ast.expr]:
    """What a demand may concern; of an attribute only what is asked for one of that name, if anything is."""
    found = list(DEMANDS[demand](spot))
    holders = [(node, spot.code.parent(node)) for node in found] if demand == "attribute" and name else []
    named = [node for node, holder in holders if isinstance(holder, ast.Attribute) and holder.attr == name]
    yield from named or found


def _aggregated(spot: Spot, left: str, right: str) -> Iterator[Mismatch]:
    """What `sum`, `max`, `sorted` add up or compare among themselves."""
    for call in spot.candidates(ast.Call):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
        for argument in call.args[:1] if name in _AGGREGATES else ():
            if isinstance(argument, ast.GeneratorExp | ast.ListComp):
                yield Mismatch(spot, argument.elt, right, left, "pair", prior("locate.aggregated-element"))
            else:
                yield Mismatch(spot, argument, "", "order", "pair", prior("locate.aggregated"))


_FINDERS: Mapping[str, Finder] = {"pair": _pair, "one": _one}
