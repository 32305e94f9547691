"""What may be None is called in several statements of a function: each of them is left out without it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Several statements ask for something of what is None."""
    found = [a for a in absents(problem, knowledge) if len(_uses(a)) > 1]
    if not found:
        return None
    return Diagnosis(problem, Family.NONE, "lost-block", "a value", "None", tuple(a.place for a in found))


def propose(question: Question) -> Iterator[Repair]:
    """A test around each."""
    for absent in absents(question.problem, question.knowledge):
        uses = _uses(absent)
        if len(uses) > 1:
            title = f"Guard each use with {absent.text} is not None"
            edits = [_guarded(absent, use) for use in uses]
            yield from cheapest([repair(question, title, edits, prior("none.guard-each-use") + absent.doubt)])


def _uses(absent: Absent) -> list[ast.Expr]:
    """The statements of the function that call it, or one of its methods, and want no value."""
    code, name = absent.code, dotted(absent.node)
    function = code.function(absent.node)
    if not name or function is None or not isinstance(code.statement(absent.node), ast.Expr):
        return []
    found = [n for n in walk_scope(function) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    asked = [n for n in found if f"{dotted(n.value.func)}.".startswith(f"{name}.")]  # type: ignore[attr-defined]
    tests = [n for n in walk_scope(function) if isinstance(n, ast.If)]
    return [] if any(name in map(dotted, ast.walk(t.test)) for t in tests) else asked


def _guarded(absent: Absent, use: ast.Expr) -> Edit:
    code = absent.code
    indent = code.indent(use.lineno - 1)
    inside = code.segment(use).replace("\n", f"\n{code.unit}")
    return code.replace(use, f"if {absent.text} is not None:\n{indent}{code.unit}{inside}")


REPAIRER = Repairer("guards of each use", ABSENT, diagnose, propose)
