"""Two sides of a comparison of which one was converted: `version(a) > b` is `version(a) > version(b)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Two operands do not go together, and one of them is a call."""
    found = [m for m in mismatches(problem, knowledge) if _call_beside(m) is not None]
    if problem.origin is not Origin.RUN or not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "missing-conversion", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """The same call around the other one."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for mismatch in mismatches(question.problem, question.knowledge):
        call, code = _call_beside(mismatch), mismatch.spot.code
        if call is not None and not is_test(code.path):
            start, end = code.start(call), code.end(call)
            given = call.args[0]
            text = (
                code.text[start : code.start(given)]
                + code.segment(mismatch.node)
                + code.text[code.end(given) : end]
            )
            cost = prior("types.converted-alike") + mismatch.doubt
            yield repair(question, f"Write {text}", [code.replace(mismatch.node, text)], cost)


def _call_beside(mismatch: Mismatch) -> ast.Call | None:
    """The call with one argument on the other side, of something that is not called here."""
    holder = mismatch.spot.code.parent(mismatch.node)
    sides: list[ast.expr] = []
    if isinstance(holder, ast.Compare) and len(holder.ops) == 1:
        sides = [holder.left, holder.comparators[0]]
    elif isinstance(holder, ast.BinOp):
        sides = [holder.left, holder.right]
    if (
        not isinstance(mismatch.node, ast.Name | ast.Attribute | ast.Subscript)
        or mismatch.actual == "NoneType"
    ):
        return None
    for other in sides:
        is_one = isinstance(other, ast.Call) and len(other.args) == 1 and not other.keywords
        if other is not mismatch.node and isinstance(other, ast.Call) and is_one:
            return other if isinstance(other.func, ast.Name) and other.func.id != "len" else None
    return None


REPAIRER = Repairer("converted alike", MISMATCHES, diagnose, propose)
