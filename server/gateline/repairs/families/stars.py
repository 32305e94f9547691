"""A collection that is passed as one argument, and was to be spread: `gather(jobs)` is `gather(*jobs)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.reading.drafts import cheapest, repair
from gateline.repairs.reading.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.reading.origins import origins

_SPREAD = {"generator": "*", "list": "*", "tuple": "*", "set": "*", "map": "*", "dict": "**"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A collection where something else is wanted."""
    found = [m for m in mismatches(problem, knowledge) if m.actual in _SPREAD]
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "missing-star", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """A star in front of an argument that the value comes from."""
    found = [m for m in mismatches(question.problem, question.knowledge) if m.actual in _SPREAD]
    yield from cheapest(r for mismatch in found for r in _of(question, mismatch))


def _of(question: Question, mismatch: Mismatch) -> Iterator[Repair]:
    for origin in origins(question.knowledge, mismatch.spot, mismatch.node):
        call = origin.code.parent(origin.node)
        if not isinstance(call, ast.Call) or origin.node not in call.args:
            continue
        start, end = origin.code.start(origin.node), origin.code.end(origin.node)
        cost = 0.55 + 0.1 * origin.steps + mismatch.doubt + (0.3 if origin.node is not call.args[-1] else 0.0)
        edits = [origin.code.edit(start, start, _SPREAD[mismatch.actual])]
        if end == origin.code.end(call):
            # A generator alone shares its parentheses with the call.
            edits = [origin.code.edit(start, start, "(*"), origin.code.edit(end, end, ")")]
        yield repair(question, "Spread the argument", edits, cost)


REPAIRER = Repairer("stars", MISMATCHES, diagnose, propose)
