"""What things are collected in: `row += rows` the wrong way round, or begun with an element, not empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.analysis.scopes import stores, visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_FILLED = {"append": "[]", "extend": "[]", "insert": "[]", "add": "set()"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An element where a collection is filled."""
    found = _spots(problem, knowledge)
    if not any(True for spot in found for _ in (*_turned(spot), *_begun(spot))):
        return None
    return Diagnosis(problem, Family.TYPE, "wrong-collection", "a collection", "an element")


def propose(question: Question) -> Iterator[Repair]:
    """Both sides exchanged; an empty collection to begin with."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for spot in _spots(question.problem, question.knowledge):
        for changed in _turned(spot):
            one, many = spot.code.segment(changed.target), spot.code.segment(changed.value)
            text = f"{many}.append({one})"
            yield repair(
                question,
                f"Write {text}",
                [spot.code.replace(changed, text)],
                prior("collections.at-first-turned"),
            )
        for rank, (value, text) in enumerate(_begun(spot)):
            edit = spot.code.replace(value, text)
            cost = prior("collections.at-first-begun") + prior("collections.at-first-rank") * rank
            yield repair(question, f"Start with {text}", [edit], cost, pattern="wrong-display")


def _spots(problem: Problem, knowledge: Knowledge) -> list[Spot]:
    found = spots(problem, knowledge)[:1] if problem.origin is Origin.RUN else []
    return [s for s in found if not is_test(s.code.path) and "NoneType" not in problem.message]


def _turned(spot: Spot) -> Iterator[ast.AugAssign]:
    """`row += rows`, for the `row` that a loop binds and a list that begins empty."""
    for node in spot.candidates(ast.AugAssign):
        if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
            continue
        held = visible(spot.code, node.target).get(node.target.id)
        scope = spot.code.function(node) or spot.code.tree
        loops = [n for n in walk_scope(scope) if isinstance(n, ast.For)]
        is_looped = any(dotted(loop.target) == node.target.id for loop in loops)
        is_list = isinstance(node.value, ast.Name) and any(_begins_empty(spot.code, scope, node.value.id))
        if held is not None and is_looped and is_list:
            yield node


def _begins_empty(code: Code, scope: ast.AST, name: str) -> Iterator[ast.expr]:
    for store in stores(walk_scope(scope), name):
        given = code.parent(store)
        if isinstance(given, ast.Assign) and isinstance(given.value, ast.List) and not given.value.elts:
            yield given.value


def _begun(spot: Spot) -> Iterator[tuple[ast.expr, str]]:
    """`found = rows[0]` before a loop that appends to `found`."""
    for node in spot.candidates(ast.Name):
        scope = spot.code.function(node)
        nodes = list(walk_scope(scope)) if scope is not None else []
        for store in stores(nodes, node.id):
            given = spot.code.parent(store)
            value = given.value if isinstance(given, ast.Assign) else None
            if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Slice):
                ways = [_way(n, node.id) for n in nodes]
                texts = dict.fromkeys([t for t in ways if t] + (["[]"] if any(ways) else []))
                yield from ((value, text) for text in texts)


def _way(node: ast.AST, name: str) -> str:
    changed = changed_by(node)
    if isinstance(node, ast.AugAssign) and dotted(node.target) == name and isinstance(node.op, ast.Add):
        return "[]" if isinstance(node.value, ast.List) else ""
    if isinstance(changed, ast.Name) and changed.id == name and isinstance(node, ast.Call):
        return _FILLED.get(getattr(node.func, "attr", ""), "")
    return ""


REPAIRER = Repairer("collections at first", MISMATCHES, diagnose, propose)
