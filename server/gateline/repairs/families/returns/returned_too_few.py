"""A function that returns fewer values than its callers take apart: `return number` for `return number, row`.

What others of its name return, and what the callers call the values, tells the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import Definition, called
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.scopes import Kind, bound
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "ValueError"})
_TOLD = ("cannot unpack non-iterable", "values to unpack (expected", "object is not iterable")
_MOST = 6
"""Names that are tried for the last value."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run could not take apart what a function of the workspace returned."""
    is_told = any(text in problem.message for text in _TOLD)
    if problem.origin is not Origin.RUN or not is_told or not any(_short(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "lost-value", "more values")


def propose(question: Question) -> Iterator[Repair]:
    """The values that are missing."""
    found = _short(question.problem, question.knowledge)
    yield from cheapest(
        r for definition, node, names in found for r in _longer(question, definition, node, names)
    )


_Short = tuple[Definition, ast.Return, list[str]]


def _short(problem: Problem, knowledge: Knowledge) -> Iterator[_Short]:
    """The statements that return too little, with what the values are called where they are taken apart."""
    for spot in spots(problem, knowledge)[:1]:
        for target, value in _taken_apart(spot):
            for origin in origins(knowledge, spot, value):
                for definition in (
                    called(knowledge, origin.spot, origin.node) if isinstance(origin.node, ast.Call) else ()
                ):
                    yield from _of_definition(definition, target)


def _taken_apart(spot: Spot) -> Iterator[tuple[list[str], ast.expr]]:
    for node in spot.candidates(ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in target.elts):
            yield [e.id if isinstance(e, ast.Name) else "" for e in target.elts], node.value


def _of_definition(definition: Definition, names: list[str]) -> Iterator[_Short]:
    if not isinstance(definition.node, Function) or is_test(definition.code.path):
        return
    for node in walk_scope(definition.node):
        value = node.value if isinstance(node, ast.Return) else None
        given = value.elts if isinstance(value, ast.Tuple) else [value]
        if isinstance(node, ast.Return) and value is not None and len(given) < len(names):
            yield definition, node, names


def _longer(
    question: Question, definition: Definition, node: ast.Return, names: list[str]
) -> Iterator[Repair]:
    code, value, function = definition.code, node.value, definition.node
    if value is None or not isinstance(function, Function):
        return
    known = [n.text for n in bound(function) if n.kind in {Kind.LOCAL, Kind.PARAMETER}]
    text = code.segment(value)
    given = value.elts if isinstance(value, ast.Tuple) else [value]
    own = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
    missing = names[len(given) :]
    found = [
        (other, prior("returns.too-few-as-others")) for other in _as_others(code, function, text, len(names))
    ]
    if all(name in known for name in missing):
        found.append((", ".join([text, *missing]), prior("returns.too-few-missing")))
    if len(missing) == 1:
        rest = [name for name in reversed(known) if name not in own and name not in {"self", "cls"}]
        for rank, name in enumerate(rest[:_MOST]):
            found.append((f"{text}, {name}", prior("returns.too-few-behind") + prior("shared.rank") * rank))
            found.append((f"{name}, {text}", prior("returns.too-few-before") + prior("shared.rank") * rank))
    for written, cost in found:
        yield repair(question, f"Return {written}", [code.replace(value, written)], cost)


def _as_others(code: Code, function: Function, text: str, count: int) -> Iterator[str]:
    """What the functions of the same name return, which begins with the same."""
    for other in (f for f in code.functions.get(function.name, ()) if f is not function):
        for node in walk_scope(other):
            value = node.value if isinstance(node, ast.Return) else None
            if isinstance(value, ast.Tuple) and len(value.elts) == count:
                whole = code.segment(value)
                if whole.startswith(f"{text},"):
                    yield whole


REPAIRER = Repairer("returned too few", _CODES, diagnose, propose)
