"""Two names that take a pair in the wrong order: `for row, number in enumerate(rows)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, mismatches
from gateline.repairs.priors import prior

_CODES = MISMATCHES | {"AttributeError", "TypeError", "ValueError", "KeyError"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type that was one of two."""
    if problem.origin is not Origin.RUN or not any(_pairs(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "swapped-targets", "the other of two")


def propose(question: Question) -> Iterator[Repair]:
    """The names exchanged where they are bound."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for code, pair, cost in _pairs(question.problem, question.knowledge):
        one, other = pair.elts
        edits = [code.replace(one, code.segment(other)), code.replace(other, code.segment(one))]
        yield repair(question, f"Swap {code.segment(one)} and {code.segment(other)}", edits, cost)


def _pairs(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, ast.Tuple, float]]:
    """The pairs of names that bind what is of the wrong type, or what that came from."""
    for mismatch in mismatches(problem, knowledge):
        for origin in origins(knowledge, mismatch.spot, mismatch.node):
            code = origin.code
            for name in (n for n in ast.walk(origin.node) if isinstance(n, ast.Name)):
                pair = _bound_in(code, name)
                if pair is not None:
                    cost = prior("names.target-order-given" if name is origin.node else "names.target-order")
                    yield code, pair, cost + prior("names.target-order-step") * origin.steps + mismatch.doubt


def _bound_in(code: Code, name: ast.Name) -> ast.Tuple | None:
    held = visible(code, name).get(name.id)
    pair = code.parent(held.node) if held is not None and held.node is not None else None
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
        return None
    holder = code.parent(pair)
    is_plain = all(isinstance(e, ast.Name) for e in pair.elts)
    is_target = isinstance(holder, ast.For | ast.AsyncFor | ast.comprehension | ast.Assign)
    return pair if is_plain and is_target else None


REPAIRER = Repairer("order of targets", _CODES, diagnose, propose)
