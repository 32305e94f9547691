"""Texts and numbers that are sorted together: they are compared as numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"not supported between instances of '(str|int|float)' and '(str|int|float)'")
_TAKERS = frozenset({"sorted", "sort", "max", "min"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A text and a number were compared by something that puts in order."""
    told = _TOLD.search(problem.message)
    if told is None or told[1] == told[2] or "str" not in told.groups():
        return None
    if not any(_calls(spot) for spot in spots(problem, knowledge)[:1]):
        return None
    return Diagnosis(problem, Family.TYPE, "mixed-order", "numbers", "str")


def propose(question: Question) -> Iterator[Repair]:
    """Numbers of all of them."""
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        yield from cheapest(r for call in _calls(spot) for r in _of(question, spot, call))


def _calls(spot: Spot) -> list[ast.Call]:
    return [call for call in spot.candidates(ast.Call) if last(call.func) in _TAKERS]


def _of(question: Question, spot: Spot, call: ast.Call) -> Iterator[Repair]:
    code = spot.code
    key = next((k.value for k in call.keywords if k.arg == "key"), None)
    for rank, number in enumerate(("int", "float")):
        if isinstance(key, ast.Lambda):
            edits = list(code.wrap(key.body, f"{number}(", ")"))
            yield repair(
                question,
                f"Compare as {number}",
                edits,
                prior("types.sorted-as-number") + prior("shared.rank") * rank,
            )
        elif key is None:
            end = code.end(call) - 1
            text = f", key={number}" if call.args or call.keywords else f"key={number}"
            edit = code.edit(end, end, text)
            yield repair(
                question,
                f"Compare as {number}",
                [edit],
                prior("types.sorted-all-as-number") + prior("shared.rank") * rank,
            )


REPAIRER = Repairer("sorted as numbers", frozenset({"TypeError"}), diagnose, propose)
