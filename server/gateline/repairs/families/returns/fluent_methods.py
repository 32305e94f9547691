"""Methods that are called one after the other on what the one before gave: each gives its object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import Definition, called
from gateline.repairs.analysis.code import Code, Function
from gateline.repairs.donors.results import gives_a_value
from gateline.repairs.edit_builder import cheapest, line_after, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """What a method gave is asked for another method of the same class, and is None."""
    found = [a for a in absents(problem, knowledge) if _chain(a, knowledge)]
    if not found:
        return None
    return Diagnosis(
        problem, Family.NONE, "missing-return", "its object", "None", tuple(a.place for a in found)
    )


def propose(question: Question) -> Iterator[Repair]:
    """Return the object, in all methods of the chain."""
    for absent in absents(question.problem, question.knowledge):
        found = _chain(absent, question.knowledge)
        edits = [line_after(code, method.body[-1], f"return {_object(method)}") for code, method in found]
        if edits:
            yield from cheapest(
                [repair(question, "Return the object itself", edits, prior("returns.fluent") + absent.doubt)]
            )


def _chain(absent: Absent, knowledge: Knowledge) -> list[tuple[Code, Function]]:
    """The methods without a value whose value a chain of calls asks."""
    whole: ast.AST = absent.node
    for outer in absent.code.ancestors(absent.node):
        if not isinstance(outer, ast.Attribute | ast.Call):
            break
        whole = outer
    found: dict[Function, Code] = {}
    for call in (n for n in ast.walk(whole) if isinstance(n, ast.Call)):
        asked = absent.code.parent(call)
        if isinstance(asked, ast.Attribute) and asked.value is call and isinstance(call.func, ast.Attribute):
            for definition in called(knowledge, absent.spot, call):
                method = definition.node
                if isinstance(method, Function) and _is_open(definition, method, asked.attr):
                    found[method] = definition.code
    return [(code, method) for method, code in found.items()]


def _object(method: Function) -> str:
    return method.args.args[0].arg


def _is_open(definition: Definition, method: Function, asked: str) -> bool:
    """Whether a method gives nothing, and its class has what is asked of it."""
    cls = definition.cls
    if cls is None or is_test(definition.code.path):
        return False
    own = {n.name for n in cls.body if isinstance(n, Function)}
    is_plain = bool(method.args.args) and not method.decorator_list and not gives_a_value(method)
    return is_plain and asked in own and not isinstance(method.body[-1], ast.Raise)


REPAIRER = Repairer("fluent methods", ABSENT, diagnose, propose)
