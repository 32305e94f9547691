"""Arguments in the wrong order, or a receiver and its argument: `isinstance(int, x)`, `parts.join(",")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import called, classes
from gateline.repairs.analysis.code import Code, Function, parameters, walk_scope
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset(
    {"TypeError", "AttributeError", "ValueError", "arg-type", "call-overload", "attr-defined", "misc"}
)
_SURE = (
    "Cast target is not a type",
    "arg 2 must be",
    "argument 2 must be",
    "arg 1 must be a class",
    "has no attribute 'join'",
)
_DEPTH = 2
_FAR = 5
"""Calls on the way to the error whose arguments are compared with the names of the parameters."""
_TWO = 2
_SURELY = 2
"""What counts as much as two names that are alike."""
_MOST = 6
"""Other calls of a function."""
_FUNCTIONS = frozenset(
    {"f", "fn", "fun", "func", "function", "callback", "key", "pred", "predicate", "mapper", "action"}
)
"""What a parameter is called that takes a function."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A call of several arguments where a type is wrong."""
    if problem.type == "misc" and _SURE[0] not in problem.message:
        return None
    places = tuple(Place(s.code.path, s.code.span(c)) for s, c in _calls(problem, knowledge))
    if not places:
        return None
    return Diagnosis(problem, Family.TYPE, "swapped-arguments", places=places)


def propose(question: Question) -> Iterator[Repair]:
    """Two arguments exchanged."""
    yield from cheapest(_repairs(question))


def _calls(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Spot, ast.Call]]:
    for spot in spots(problem, knowledge)[:_DEPTH]:
        for call in spot.candidates(ast.Call)[:4]:
            if len(call.args) >= 2 or _is_method(call):
                yield spot, call


def _is_method(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and len(call.args) == 1


def _repairs(question: Question) -> Iterator[Repair]:
    yield from _told_by_names(question)
    yield from _in_the_function(question)
    sure = any(text in question.problem.message for text in _SURE)
    for rank, (spot, call) in enumerate(_calls(question.problem, question.knowledge)):
        cost = (
            prior("calls.order-told" if sure else "calls.order-guessed")
            + prior("calls.order-call-rank") * rank
        )
        yield from _swapped(question, spot, call, cost)
        if isinstance(call.func, ast.Attribute) and len(call.args) == 1:
            yield from _turned(question, spot, call, call.func, cost)


def _in_the_function(question: Question) -> Iterator[Repair]:
    """Two names in another call of the function that failed: what it gave is wrong now."""
    for spot in spots(question.problem, question.knowledge)[:1]:
        function = None if spot.node is None or is_test(spot.code.path) else spot.code.function(spot.node)
        own = set() if spot.node is None else set(spot.candidates(ast.Call))
        calls = [n for n in walk_scope(function) if isinstance(n, ast.Call)] if function is not None else []
        near = sorted(calls, key=lambda call: abs(call.lineno - 1 - spot.line))
        for rank, call in enumerate([c for c in near if c not in own and _has_names(c)][:_MOST]):
            yield from _swapped(
                question, spot, call, prior("calls.order-elsewhere") + prior("shared.rank") * rank
            )


def _has_names(call: ast.Call) -> bool:
    return len(call.args) == _TWO and all(isinstance(a, ast.Name | ast.Attribute) for a in call.args)


def _told_by_names(question: Question) -> Iterator[Repair]:
    """`select(rows, lambda row: …)`, where the parameters are called `pred` and `rows`."""
    knowledge = question.knowledge
    for spot in (s for s in spots(question.problem, knowledge)[:_FAR] if not is_test(s.code.path)):
        for call in spot.candidates(ast.Call)[:4]:
            callee = _callee(knowledge, spot, call) if len(call.args) > 1 else None
            if callee is None or any(isinstance(a, ast.Starred) for a in call.args):
                continue
            names = [a.arg for a in parameters(callee) if a.arg not in {"self", "cls"}]
            yield from _exchanged(question, spot.code, call, names)


def _callee(knowledge: Knowledge, spot: Spot, call: ast.Call) -> Function | ast.Lambda | None:
    """What a call runs: also the constructor of a class inside of another, `Map.Editor(…)`."""
    found = next(iter(called(knowledge, spot, call)), None)
    if found is not None:
        return found.node
    owner, _, name = dotted(call.func).rpartition(".")
    for code, cls in classes(knowledge, name) if owner else ():
        outer = code.parent(cls)
        makers = (n for n in cls.body if isinstance(n, Function) and n.name == "__init__")
        if isinstance(outer, ast.ClassDef) and outer.name == owner.rpartition(".")[2]:
            return next(makers, None)
    return None


def _exchanged(question: Question, code: Code, call: ast.Call, names: list[str]) -> Iterator[Repair]:
    given = list(zip(call.args, names, strict=False))
    for (one, its), (other, their) in combinations(given[:5], 2):
        gain = _fits(one, their) + _fits(other, its) - _fits(one, its) - _fits(other, their)
        if gain > 0:
            edits = [code.replace(one, code.segment(other)), code.replace(other, code.segment(one))]
            yield repair(
                question,
                "Swap the arguments",
                edits,
                prior("calls.order-exchanged-by-name" if gain > 1 else "calls.order-exchanged"),
            )


def _fits(argument: ast.expr, name: str) -> int:
    """How well an argument is meant for a parameter by what both are called."""
    if isinstance(argument, ast.Lambda):
        return name in _FUNCTIONS
    if isinstance(argument, ast.Attribute) and argument.attr == "__class__":
        return _SURELY * (name == "cls" or "class" in name)
    own = argument.attr if isinstance(argument, ast.Attribute) else getattr(argument, "id", "")
    return bool(own) and own.strip("_") == name.strip("_")


def _swapped(question: Question, spot: Spot, call: ast.Call, cost: float) -> Iterator[Repair]:
    code = spot.code
    plain = [a for a in call.args if not isinstance(a, ast.Starred)]
    for one, other in combinations(plain[:4], 2):
        edits = [code.replace(one, code.segment(other)), code.replace(other, code.segment(one))]
        apart = plain.index(other) - plain.index(one) - 1
        if ast.dump(one) != ast.dump(other):
            yield repair(
                question, "Swap the arguments", edits, cost + prior("calls.order-each-apart") * apart
            )


def _turned(
    question: Question, spot: Spot, call: ast.Call, func: ast.Attribute, cost: float
) -> Iterator[Repair]:
    """The receiver and the argument change places."""
    code, argument = spot.code, call.args[0]
    is_atom = isinstance(argument, ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript)
    receiver = code.segment(argument) if is_atom else f"({code.segment(argument)})"
    edits = [code.replace(func.value, receiver), code.replace(argument, code.segment(func.value))]
    title = f"Swap the argument and the receiver of {func.attr}"
    # Where the argument is of no known type, a type checker is content with anything.
    yield repair(question, title, edits, cost, pattern="swapped-receiver", guess=True)


REPAIRER = Repairer("argument order", _CODES, diagnose, propose)
