"""`sum` of what are no numbers: it begins with something else than 0, or adds numbers of the texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"unsupported operand type\(s\) for \+: 'int' and '([\w.]+)'")
_BEGINNINGS = {"list": "[]", "tuple": "()", "datetime.timedelta": "timedelta()", "Counter": "Counter()"}
_NUMBERS = ("int", "float")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A sum met something that is no number."""
    told = _TOLD.search(problem.message)
    if told is None or not any(_summed(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "wrong-sum", "int", told[1])


def propose(question: Question) -> Iterator[Repair]:
    """Another beginning, or numbers."""
    for spot, call in _summed(question.problem, question.knowledge):
        yield from cheapest(_of(question, spot, call))


def _summed(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Spot, ast.Call]]:
    for spot in [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]:
        for call in spot.candidates(ast.Call):
            if dotted(call.func) == "sum" and len(call.args) == 1 and not call.keywords:
                yield spot, call


def _of(question: Question, spot: Spot, call: ast.Call) -> Iterator[Repair]:
    code, given, actual = spot.code, call.args[0], question.diagnosis.actual
    beginning = _BEGINNINGS.get(actual, "")
    if beginning and not isinstance(given, ast.GeneratorExp):
        end = code.end(given)
        yield repair(
            question,
            f"Pass the start value {beginning}",
            [code.edit(end, end, f", {beginning}")],
            prior("types.sum-start"),
        )
    elif beginning:
        text = f"[{code.segment(given).removeprefix('(').removesuffix(')')}], {beginning}"
        edit = code.edit(code.end(call.func), code.end(call), f"({text})")
        yield repair(question, f"Pass the start value {beginning}", [edit], prior("types.sum-start"))
    for rank, number in enumerate(_NUMBERS if actual == "str" else ()):
        for origin in origins(question.knowledge, spot, given):
            cost = (
                prior("types.sum-start")
                + prior("shared.rank") * rank
                + prior("types.sum-step") * origin.steps
            )
            if isinstance(origin.node, ast.ListComp | ast.GeneratorExp):
                edits = origin.code.wrap(origin.node.elt, f"{number}(", ")")
                yield repair(question, f"Convert each element with {number}()", edits, cost)
            elif not origin.steps:
                edits = code.wrap(given, f"map({number}, ", ")")
                yield repair(question, f"Convert each element with {number}()", edits, cost)


REPAIRER = Repairer("sums", frozenset({"TypeError"}), diagnose, propose)
