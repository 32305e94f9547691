"""A function that calls itself and ends without a value: what its operation begins with is returned there.

`if n > 1: return n * factorial(n - 1)` needs `return 1` behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import called
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.edit_builder import cheapest, line_after, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_BEGINNINGS: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Mult: ("1",),
    ast.Add: ("0", "[]", '""'),
    ast.BitOr: ("0", "set()"),
    ast.Sub: ("0",),
}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """The function gave None to itself."""
    found = list(_open(problem, knowledge))
    if not found:
        return None
    return Diagnosis(problem, Family.NONE, "missing-return", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """The value to begin with."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for code, function, operation in _open(question.problem, question.knowledge):
        for rank, value in enumerate(_BEGINNINGS.get(type(operation.op), ())):
            edit = line_after(code, function.body[-1], f"return {value}")
            yield repair(
                question, f"Return {value}", [edit], prior("returns.base-case") + prior("shared.rank") * rank
            )


def _open(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, Function, ast.BinOp]]:
    """Functions whose results are made of their own, and that can end without one."""
    for absent in absents(problem, knowledge):
        calls = [absent.node] if isinstance(absent.node, ast.Call) else []
        for definition in (d for call in calls for d in called(knowledge, absent.spot, call)):
            function, code = definition.node, definition.code
            if (
                isinstance(function, ast.Lambda)
                or is_test(code.path)
                or not isinstance(function.body[-1], ast.If)
            ):
                continue
            if function.body[-1].orelse:
                continue
            for node in walk_scope(function):
                if isinstance(node, ast.BinOp) and any(_is_own(n, function) for n in ast.walk(node)):
                    yield code, function, node
                    break


def _is_own(node: ast.AST, function: Function) -> bool:
    return isinstance(node, ast.Call) and last(node.func) == function.name


REPAIRER = Repairer("base cases", ABSENT, diagnose, propose)
