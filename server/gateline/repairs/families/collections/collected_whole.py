"""Rows that were taken apart where they were collected: `rows += row` for `rows.append(row)`, or the reverse.

The error is met by who runs over the elements, often in another function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior

_SEVERAL = frozenset({"list", "tuple", "set", "generator", "dict"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An element of something that was collected is of the wrong type."""
    found = _elements(problem, knowledge) if problem.origin is Origin.RUN else []
    if not found:
        return None
    places = tuple(mismatch.place for mismatch, _ in found)
    return Diagnosis(problem, Family.TYPE, "collected-whole", found[0][0].wanted, found[0][0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """The other way to collect, in every function that the collection came through."""
    found = _elements(question.problem, question.knowledge)
    yield from cheapest(r for mismatch, rows in found for r in _of(question, mismatch, rows))


def _elements(problem: Problem, knowledge: Knowledge) -> list[tuple[Mismatch, ast.expr]]:
    """What is of the wrong type and comes from a loop, with what that runs over."""
    rows = []
    for mismatch in mismatches(problem, knowledge):
        code, node = mismatch.spot.code, mismatch.node
        held = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
        loop = None if held is None or held.node is None else code.parent(held.node)
        if held is not None and isinstance(loop, ast.For | ast.comprehension) and loop.target is held.node:
            rows.append((mismatch, loop.iter))
    return rows


def _of(question: Question, mismatch: Mismatch, rows: ast.expr) -> Iterator[Repair]:
    is_whole = mismatch.actual in _SEVERAL
    for origin in origins(question.knowledge, mismatch.spot, rows):
        if not isinstance(origin.node, ast.Name):
            continue
        code = origin.code
        for node in walk_scope(code.scope(origin.node)):
            cost = prior("collections.collected-whole") + prior("shared.step") * origin.steps + mismatch.doubt
            if (value := _added(node, origin.node.id)) is not None:
                edits = [code.replace(node, f"{origin.node.id}.append({code.segment(value)})")]
                cost += prior("collections.collected-whole-other-type") if is_whole else 0
                yield repair(question, f"Append {code.segment(value)}", edits, cost)
            elif (value := _appended(node, origin.node.id)) is not None:
                edits = [code.replace(node, f"{origin.node.id}.extend({code.segment(value)})")]
                cost += 0 if is_whole else prior("collections.collected-whole-other-type")
                yield repair(question, f"Extend the list by {code.segment(value)}", edits, cost)


def _added(node: ast.AST, name: str) -> ast.expr | None:
    """What is added as several elements."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and dotted(node.target) == name:
        return node.value
    return _given(node, f"{name}.extend")


def _appended(node: ast.AST, name: str) -> ast.expr | None:
    return _given(node, f"{name}.append")


def _given(node: ast.AST, called: str) -> ast.expr | None:
    is_call = isinstance(node, ast.Call) and dotted(node.func) == called and len(node.args) == 1
    return node.args[0] if isinstance(node, ast.Call) and is_call else None


REPAIRER = Repairer("collected whole", MISMATCHES, diagnose, propose)
