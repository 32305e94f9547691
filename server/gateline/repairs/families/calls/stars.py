"""A collection that is passed as one argument, and was to be spread: `gather(jobs)` is `gather(*jobs)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_SPREAD = {"generator": "*", "list": "*", "tuple": "*", "set": "*", "map": "*", "dict": "**"}
_ITEM = re.compile(r"expected \w+(?: instance)?, (\w+) found")
_TOO_MANY = re.compile(r"takes .*positional arguments? but .*given")
_CODES = MISMATCHES | {"call-arg"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A collection where something else is wanted."""
    found = _collections(problem, knowledge)
    places = tuple(mismatch.place for mismatch, _ in found)
    if not found and _TOO_MANY.search(problem.message) is None:
        return None
    wanted, actual = (found[0][0].wanted, found[0][1]) if found else ("", "")
    return Diagnosis(problem, Family.TYPE, "missing-star", wanted, actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """A star in front of an argument that the value comes from."""
    found = _collections(question.problem, question.knowledge)
    given = [r for mismatch, kind in found for r in _of(question, mismatch, kind)]
    if _TOO_MANY.search(question.problem.message):
        given += [
            r for spot in spots(question.problem, question.knowledge)[:1] for r in _named(question, spot)
        ]
    yield from cheapest(given)


def _collections(problem: Problem, knowledge: Knowledge) -> list[tuple[Mismatch, str]]:
    """What is a collection, or holds one where its elements are told of, with its type."""
    item = _ITEM.search(problem.message)
    told = item[1] if item is not None else ""
    found = [(m, m.actual or told) for m in mismatches(problem, knowledge)]
    return [(mismatch, kind) for mismatch, kind in found if kind in _SPREAD]


def _of(question: Question, mismatch: Mismatch, kind: str) -> Iterator[Repair]:
    for origin in origins(question.knowledge, mismatch.spot, mismatch.node):
        call = origin.code.parent(origin.node)
        if not isinstance(call, ast.Call) or origin.node not in call.args:
            continue
        start, end = origin.code.start(origin.node), origin.code.end(origin.node)
        cost = (
            prior("calls.star")
            + prior("shared.step") * origin.steps
            + mismatch.doubt
            + (prior("calls.star-not-last") if origin.node is not call.args[-1] else 0)
        )
        edits = [origin.code.edit(start, start, _SPREAD[kind])]
        if end == origin.code.end(call):
            # A generator alone shares its parentheses with the call.
            edits = [origin.code.edit(start, start, "(*"), origin.code.edit(end, end, ")")]
        yield repair(question, "Unpack the argument", edits, cost)


def _named(question: Question, spot: Spot) -> Iterator[Repair]:
    """`send(data, self.send_kwargs)`: what the last argument is called, or holds, says that it is spread."""
    for rank, call in enumerate(
        c for c in spot.candidates(ast.Call) if c.args and not is_test(spot.code.path)
    ):
        value = call.args[-1]
        name = last(value)
        held = _SPREAD.get(spot.seen.get(dotted(value), ""), "") if name else ""
        stars = "**" if name.endswith(("kwargs", "keywords")) else "*" if name.endswith("args") else held
        if stars:
            start = spot.code.start(value)
            cost = (
                prior("calls.star-named-args" if "args" in name else "calls.star-named")
                + prior("calls.star-call-rank") * rank
            )
            edits = [spot.code.edit(start, start, stars)]
            yield repair(question, "Unpack the argument", edits, cost)


REPAIRER = Repairer("stars", _CODES, diagnose, propose)
