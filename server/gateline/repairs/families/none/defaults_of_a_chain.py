"""`config.get("db").get("options").get("timeout")`: each of the lookups on the way may find nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A lookup between others found nothing."""
    found = [a for a in absents(problem, knowledge) if len(_lookups(a)) > 1]
    if not found:
        return None
    return Diagnosis(problem, Family.NONE, "lost-default", "dict", "None", tuple(a.place for a in found))


def propose(question: Question) -> Iterator[Repair]:
    """An empty dictionary for each of them."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(_of(question, a) for a in found if len(_lookups(a)) > 1)


def _of(question: Question, absent: Absent) -> Repair:
    code = absent.code
    ends = [code.end(call.args[0]) for call in _lookups(absent)]
    edits = [code.edit(end, end, ", {}") for end in ends]
    return repair(
        question, "Pass {} as the default of each lookup", edits, prior("none.chain-default") + absent.doubt
    )


def _lookups(absent: Absent) -> list[ast.Call]:
    """The lookups without a default in whose answer something else is looked up."""
    node: ast.AST = absent.node
    for outer in absent.code.ancestors(absent.node):
        if not isinstance(outer, ast.Attribute | ast.Call | ast.Subscript):
            break
        node = outer
    inside = [n for n in ast.walk(node) if isinstance(n, ast.Call) and _is_open(n)]
    found = [call for call in inside if _is_asked(absent.code, call)]
    return found if absent.node in found else []


def _is_open(call: ast.Call) -> bool:
    is_get = isinstance(call.func, ast.Attribute) and call.func.attr == "get"
    return is_get and len(call.args) == 1 and not call.keywords


def _is_asked(code: Code, call: ast.Call) -> bool:
    """Whether a key is looked up in what it gives."""
    holder = code.parent(call)
    is_got = isinstance(holder, ast.Attribute) and holder.attr in {"get", "items", "keys", "values"}
    return is_got and holder.value is call  # type: ignore[union-attr]


REPAIRER = Repairer("defaults of a chain", ABSENT, diagnose, propose)
