"""A decorator that forgets to give the function that it made, or whose function forgets the value it got."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import Definition, definitions
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.donors.results import gives_a_value
from gateline.repairs.edit_builder import cheapest, line_after, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """None instead of what a decorated function is or gives."""
    if not any(_ways(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.NONE, "missing-return", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """Return it in the decorator."""
    found = _ways(question.problem, question.knowledge)
    yield from cheapest(
        repair(question, title, [edit], prior("none.decorator-return")) for title, edit in found
    )


def _ways(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[str, Edit]]:
    for decorator in _decorators(problem, knowledge):
        outer, code = decorator.node, decorator.code
        if isinstance(outer, ast.Lambda) or is_test(code.path):
            continue
        inner = [n for n in outer.body if isinstance(n, Function)]
        if inner and not gives_a_value(outer):
            yield f"Return {inner[-1].name}", line_after(code, outer.body[-1], f"return {inner[-1].name}")
        given = {a.arg for a in outer.args.args}
        for function in inner:
            yield from _handed_back(code, function, given)


def _handed_back(code: Code, function: Function, given: set[str]) -> Iterator[tuple[str, Edit]]:
    """`function(*args)` at the end of the wrapper, or what its value was called."""
    if gives_a_value(function):
        return
    for node in walk_scope(function):
        value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
        if isinstance(value, ast.Await):
            value = value.value
        if not isinstance(value, ast.Call) or dotted(value.func) not in given:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name):
            yield f"Return {target.id}", line_after(code, function.body[-1], f"return {target.id}")
        elif node is function.body[-1]:
            start = code.start(node)
            yield "Return the value", code.edit(start, start, "return ")


def _decorators(problem: Problem, knowledge: Knowledge) -> Iterator[Definition]:
    seen: set[int] = set()
    for absent in absents(problem, knowledge):
        for origin in origins(knowledge, absent.spot, absent.node):
            name = last(origin.node.func if isinstance(origin.node, ast.Call) else origin.node)
            for definition in definitions(knowledge, name) if name else ():
                for mark in getattr(definition.node, "decorator_list", []):
                    called = mark.func if isinstance(mark, ast.Call) else mark
                    for found in definitions(knowledge, last(called)):
                        if id(found.node) not in seen:
                            seen.add(id(found.node))
                            yield found


REPAIRER = Repairer("decorators of none", ABSENT, diagnose, propose)
