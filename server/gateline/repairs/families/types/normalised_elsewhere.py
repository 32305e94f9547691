"""A parameter that others bring into one form first: `if isinstance(name, str): name = compiled(name)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code, Function, first_statement, parameters
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.mismatch import MISMATCHES, mismatches
from gateline.repairs.priors import prior

_CODES = MISMATCHES | {"AttributeError"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type that was a parameter."""
    if not any(_found(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "missing-conversion", "another form")


def propose(question: Question) -> Iterator[Repair]:
    """The lines with which others begin for a parameter of that name."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for origin, function, guard, cost in _found(question.problem, question.knowledge):
        code = origin.code
        edits = [line_before(code, first_statement(function), _dedented(code, guard))]
        title = f"Add the guard of similar functions: {code.segment(guard.body[0])}"
        yield repair(question, title, edits, cost)


def _found(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Origin, Function, ast.If, float]]:
    for mismatch in mismatches(problem, knowledge):
        for origin in origins(knowledge, mismatch.spot, mismatch.node):
            node, function = origin.node, origin.code.function(origin.node)
            if not isinstance(node, ast.Name) or function is None:
                continue
            names = [a.arg for a in parameters(function)]
            for guard in _guards(origin.code, node.id) if node.id in names else ():
                own = origin.code.function(guard)
                if own is not function and _is_possible(origin.code, function, guard):
                    cost = prior("types.normalised") + prior("shared.step") * origin.steps + mismatch.doubt
                    yield origin, function, guard, cost


def _guards(code: Code, name: str) -> Iterator[ast.If]:
    """`if isinstance(name, …): name = …` anywhere in a text."""
    for node in code.nodes:
        if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1:
            continue
        tested = [
            n for n in ast.walk(node.test) if isinstance(n, ast.Call) and ast.unparse(n.func) == "isinstance"
        ]
        first = node.body[0]
        targets = first.targets if isinstance(first, ast.Assign) else []
        is_own = any(isinstance(c.args[0], ast.Name) and c.args[0].id == name for c in tested if c.args)
        if is_own and any(isinstance(t, ast.Name) and t.id == name for t in targets):
            yield node


def _is_possible(code: Code, function: Function, guard: ast.If) -> bool:
    """Whether the names of a test mean something in a function, which has none of its own like it."""
    used = {n.id for n in ast.walk(guard) if isinstance(n, ast.Name)}
    known = visible(code, function.body[0]).keys()
    wanted = ast.dump(guard)
    return used <= known and all(ast.dump(n) != wanted for n in ast.walk(function) if isinstance(n, ast.If))


def _dedented(code: Code, guard: ast.If) -> str:
    return f"if {code.segment(guard.test)}:\n{code.unit}{code.segment(guard.body[0])}"


REPAIRER = Repairer("normalised elsewhere", _CODES, diagnose, propose)
