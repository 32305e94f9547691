"""Calls the wrong way round: `len(range(rows))` for `range(len(rows))`, `rows(max)` for `max(rows)`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "operator", "arg-type", "call-overload"})
_NESTED = frozenset(
    {("len", "range"), ("enumerate", "len"), ("sum", "len"), ("iter", "len"), ("int", "round")}
)
"""What is written outside of what makes no sense there."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A call of a value with a function, or of a function with the result of one that it cannot take."""
    found = next(_turned(problem, knowledge), None)
    if found is None:
        return None
    code, node, text, _ = found
    return Diagnosis(problem, Family.TYPE, "turned-call", text, places=(Place(code.path, code.span(node)),))


def propose(question: Question) -> Iterator[Repair]:
    """The other way round."""
    found = _turned(question.problem, question.knowledge)
    yield from cheapest(
        repair(question, f"Write {text}", edits, prior("calls.turned-call")) for _, _, text, edits in found
    )


def _turned(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, ast.Call, str, list[Edit]]]:
    for spot in (s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)):
        for call in spot.candidates(ast.Call):
            argument = call.args[0] if len(call.args) == 1 and not call.keywords else None
            if isinstance(argument, ast.Name) and _is_value(spot.code, call.func):
                if callable(getattr(builtins, argument.id, None)):
                    text = f"{argument.id}({spot.code.segment(call.func)})"
                    yield spot.code, call, text, [spot.code.replace(call, text)]
            elif isinstance(argument, ast.Call) and _are_nested(call.func, argument.func):
                inner, outer = spot.code.segment(argument.func), spot.code.segment(call.func)
                edits = [spot.code.replace(call.func, inner), spot.code.replace(argument.func, outer)]
                yield spot.code, call, f"{inner}({outer}(…))", edits


def _is_value(code: Code, node: ast.expr) -> bool:
    """Whether it is a name that holds a value of the function's own."""
    name = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
    return name is not None and name.kind in {Kind.LOCAL, Kind.PARAMETER}


def _are_nested(outer: ast.expr, inner: ast.expr) -> bool:
    names = tuple(n.id for n in (outer, inner) if isinstance(n, ast.Name))
    return names in _NESTED


REPAIRER = Repairer("turned calls", _CODES, diagnose, propose)
