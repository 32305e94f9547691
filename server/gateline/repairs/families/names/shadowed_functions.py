"""A local with the name of the function that gives its value: `total = total(rows)`, `input = input("…")`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.donors.new_names import fresh
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_ENDINGS = ("result", "value", "found")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A function is called by a name that is a local, since something is assigned to it."""
    found = undefined(problem, knowledge)
    if found is None or not found.is_unassigned or not _calls(found):
        return None
    return Diagnosis(problem, Family.NAME, "shadowed-function", "another name", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """Another name for the value."""
    found = undefined(question.problem, question.knowledge)
    calls = [] if found is None else _calls(found)
    if found is None or not calls:
        return
    code, called = found.code, {id(call.func) for call in calls}
    nodes = [n for n in walk_scope(code.scope(found.node)) if isinstance(n, ast.Name) and n.id == found.name]
    name = fresh(code, found.node, f"{found.name}_{_ENDINGS[0]}")
    edits = [code.replace(node, name) for node in nodes if id(node) not in called]
    yield from cheapest(
        [repair(question, f"Rename the variable to {name}", edits, prior("names.shadowed-function"))]
    )


def _calls(found: Undefined) -> list[ast.Call]:
    """The calls of the function, where it is defined outside, and what the call gives gets its name."""
    code, scope = found.code, found.code.scope(found.node)
    if isinstance(scope, ast.Module | ast.ClassDef):
        return []
    is_outside = found.name in code.functions or hasattr(builtins, found.name)
    calls = [n for n in walk_scope(scope) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    own = [c for c in calls if c.func.id == found.name]  # type: ignore[attr-defined]
    stored = [
        code.parent(n)
        for n in walk_scope(scope)
        if isinstance(n, ast.Name) and n.id == found.name and isinstance(n.ctx, ast.Store)
    ]
    is_given = any(isinstance(s, ast.Assign) and any(c in own for c in ast.walk(s.value)) for s in stored)
    return own if is_outside and is_given else []


REPAIRER = Repairer("shadowed functions", UNDEFINED, diagnose, propose)
