"""`any(number < 0)` where `numbers` are meant: the loop over them was left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.likeness import plurals
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_TAKERS = frozenset({"any", "all", "sum", "min", "max", "sorted", "list", "set", "tuple", "join"})
_HELD = {Kind.PARAMETER, Kind.LOCAL}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name that only a loop would bind."""
    found = undefined(problem, knowledge)
    if found is None or found.is_unassigned or _call(found) is None:
        return None
    return Diagnosis(problem, Family.NAME, "lost-loop", "a loop", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """A loop over what is there."""
    found = undefined(question.problem, question.knowledge)
    call = None if found is None else _call(found)
    if found is not None and call is not None:
        yield from cheapest(_repairs(question, found, call.args[0]))


def _repairs(question: Question, found: Undefined, node: ast.expr) -> Iterator[Repair]:
    code, scope = found.code, visible(found.code, found.node)
    near = [name for name in plurals(found.name) if name in scope]
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {"self", "cls"}
    others = [n.text for n in scope.values() if n.kind in _HELD and n.text not in used]
    for rank, many in enumerate(dict.fromkeys([*near, *others])):
        end = code.end(node)
        edits = [code.edit(end, end, f" for {found.name} in {many}")]
        cost = (
            prior("names.comprehension")
            + prior("names.comprehension-rank") * rank
            - (prior("names.comprehension-near") if many in near else 0)
        )
        yield repair(question, f"Loop over {many}", edits, cost)


def _call(found: Undefined) -> ast.Call | None:
    """The call that takes several values, and is given a single expression of the name."""
    for outer in found.code.ancestors(found.node):
        if isinstance(outer, ast.stmt | ast.comprehension):
            return None
        if (
            isinstance(outer, ast.Call)
            and (dotted(outer.func) or last(outer.func)).rpartition(".")[2] in _TAKERS
        ):
            is_one = len(outer.args) == 1 and not outer.keywords
            is_made = is_one and isinstance(outer.args[0], ast.Compare | ast.BinOp | ast.Call | ast.Attribute)
            return outer if is_made else None
    return None


REPAIRER = Repairer("lost comprehensions", UNDEFINED, diagnose, propose)
