"""A function that prints what its callers want to have: `print(text)` at its end is `return text`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import called
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.donors.results import gives_a_value
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """None came from a function that prints."""
    found = list(_printing(problem, knowledge))
    if not found:
        return None
    return Diagnosis(problem, Family.NONE, "printed-value", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """Return it."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for code, calls, steps in _printing(question.problem, question.knowledge):
        edits = [code.replace(call, f"return {code.segment(call.args[0])}") for call in calls]
        yield repair(
            question,
            "Return what is printed",
            edits,
            prior("returns.printed") + prior("returns.printed-step") * steps,
        )


def _printing(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, list[ast.Call], int]]:
    for absent in absents(problem, knowledge):
        for origin in origins(knowledge, absent.spot, absent.node):
            for found in (
                called(knowledge, origin.spot, origin.node) if isinstance(origin.node, ast.Call) else ()
            ):
                function = found.node
                if isinstance(function, ast.Lambda) or is_test(found.code.path) or gives_a_value(function):
                    continue
                calls = list(_printed(function.body))
                if calls:
                    yield found.code, calls, origin.steps


def _printed(body: list[ast.stmt]) -> Iterator[ast.Call]:
    """The calls of `print` with one argument at the ends of a body."""
    end = body[-1]
    if isinstance(end, ast.If):
        yield from _printed(end.body)
        yield from _printed(end.orelse) if end.orelse else ()
    elif isinstance(end, ast.Expr) and isinstance(end.value, ast.Call) and _is_plain(end.value):
        yield end.value


def _is_plain(call: ast.Call) -> bool:
    """Whether one thing is printed, as print does by itself."""
    is_one = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    return is_one and dotted(call.func) == "print"


REPAIRER = Repairer("printed values", ABSENT, diagnose, propose)
