"""An argument that was forgotten, so that others took its place: `sent(data)` for `sent(session, data)`.

What the arguments and the parameters are called tells; of methods of built-in types, what the same value is
asked for elsewhere in the function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import called
from gateline.repairs.analysis.code import Code, parameters, walk_scope
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.donors.argument_candidates import fillers
from gateline.repairs.edit_builder import cheapest, element_added, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "AttributeError", "ValueError", "KeyError", "arg-type", "call-arg"})
_FAR = 4
"""Calls on the way to the error that are looked at."""
_FILLERS = 3
_TYPES = frozenset({"str", "bytes", "int", "float", "list", "tuple", "dict", "set", "bool", "type"})
_OF_TEXTS = frozenset({"split", "rsplit", "partition", "rpartition", "replace", "startswith", "endswith"})
_OF_TEXTS |= {"strip", "lstrip", "rstrip", "find", "index", "count", "join"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A call of several arguments where a value is of the wrong type."""
    places = tuple(Place(s.code.path, s.code.span(c)) for s, c in _calls(problem, knowledge))
    return Diagnosis(problem, Family.TYPE, "missing-argument", places=places) if places else None


def propose(question: Question) -> Iterator[Repair]:
    """One argument more, before the others."""
    calls = enumerate(_calls(question.problem, question.knowledge))
    yield from cheapest(
        made
        for rank, (spot, call) in calls
        for made in (
            *_told_by_names(question, spot, call, prior("shared.rank") * rank),
            *_of_texts(question, spot, call),
            *_of_classes(question, spot, call),
        )
    )


def _calls(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Spot, ast.Call]]:
    for spot in (s for s in spots(problem, knowledge)[:_FAR] if not is_test(s.code.path)):
        for call in spot.candidates(ast.Call)[:4]:
            if call.args and not any(isinstance(a, ast.Starred) for a in call.args):
                yield spot, call


def _told_by_names(question: Question, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
    callee = next(iter(called(question.knowledge, spot, call)), None)
    names = [a.arg for a in parameters(callee.node) if a.arg not in {"self", "cls"}] if callee else []
    given = [last(argument).strip("_") for argument in call.args]
    for place in range(len(given)) if len(given) < len(names) else ():
        moved = zip(given[place:], names[place + 1 :], strict=False)
        kept = zip(given[place:], names[place:], strict=False)
        if sum(map(_fits, moved)) > sum(map(_fits, kept)):
            for text, cost in islice(fillers(question.knowledge, spot, call, names[place]), _FILLERS):
                edits = [element_added(spot.code, call, place, text)]
                yield repair(
                    question,
                    f"Pass {text}",
                    edits,
                    prior("calls.left-out-told-by-names") + cost + doubt + prior("shared.rank") * place,
                )


def _fits(pair: tuple[str, str]) -> bool:
    return bool(pair[0]) and pair[0] == pair[1].strip("_")


def _of_texts(question: Question, spot: Spot, call: ast.Call) -> Iterator[Repair]:
    """`text.rsplit(1)` where it was asked whether `"@"` is in the text."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    number = isinstance(call.args[0], ast.Constant) and type(call.args[0].value) is int
    function = spot.code.function(call)
    if method not in _OF_TEXTS or not number or function is None or not isinstance(call.func, ast.Attribute):
        return
    about = dotted(call.func.value)
    asked = [t for n in walk_scope(function) for t in _texts_asked_of(spot.code, n, about)] if about else []
    for rank, text in enumerate(dict.fromkeys([*asked, '" "', '","'])):
        edits = [element_added(spot.code, call, 0, text)]
        yield repair(
            question,
            f"Pass {text}",
            edits,
            prior("calls.left-out-text-asked" if text in asked else "calls.left-out-text")
            + prior("shared.rank") * rank,
        )


def _of_classes(question: Question, spot: Spot, call: ast.Call) -> Iterator[Repair]:
    """`isinstance(Mapping)`: what else is asked for its class in the function."""
    function = spot.code.function(call)
    if dotted(call.func) not in {"isinstance", "issubclass"} or len(call.args) != 1 or function is None:
        return
    kinds = call.args[0].elts if isinstance(call.args[0], ast.Tuple) else call.args
    if not all(last(kind)[:1].isupper() or last(kind) in _TYPES for kind in kinds):
        return
    others = [
        n for n in walk_scope(function) if isinstance(n, ast.Call) and dotted(n.func) == dotted(call.func)
    ]
    asked = [spot.code.segment(n.args[0]) for n in others if len(n.args) > 1]
    names = [a.arg for a in parameters(function) if a.arg not in {"self", "cls"}]
    for rank, text in enumerate(dict.fromkeys([*asked, *names])):
        edits = [element_added(spot.code, call, 0, text)]
        yield repair(
            question,
            f"Pass {text}",
            edits,
            prior("calls.left-out-class-asked" if text in asked else "calls.left-out-class")
            + prior("shared.rank") * rank,
        )


def _texts_asked_of(code: Code, node: ast.AST, about: str) -> Iterator[str]:
    """The texts that are looked for in a value."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        found = [node.left] if dotted(node.comparators[0]) == about else []
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and dotted(node.func.value) == about
    ):
        found = node.args[:1] if node.func.attr in _OF_TEXTS else []
    else:
        found = []
    yield from (code.segment(n) for n in found if isinstance(n, ast.Constant) and isinstance(n.value, str))


REPAIRER = Repairer("arguments left out", _CODES, diagnose, propose)
