"""A name or attribute that begins as None and is used as a container: it begins empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.reading.absent import ABSENT, Absent, absents
from gateline.repairs.reading.code import Code
from gateline.repairs.reading.drafts import cheapest, repair
from gateline.repairs.reading.initial import EMPTY, initial_values, values_for
from gateline.repairs.reading.kinds import Kinds, dotted, kind
from gateline.repairs.reading.origins import Origin, origins

_CODES = ABSENT | {"assignment"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """None that was assigned on purpose, where something else is needed."""
    found = [(a, o) for a in absents(problem, knowledge) for o in _nones(knowledge, a)]
    if not found:
        return None
    places = tuple(a.place for a, _ in found)
    return Diagnosis(problem, Family.NONE, "none-at-first", found[0][0].wanted, "None", places)


def propose(question: Question) -> Iterator[Repair]:
    """An empty container, by what is done with it."""
    knowledge = question.knowledge
    found = [(a, o) for a in absents(question.problem, knowledge) for o in _nones(knowledge, a)]
    yield from cheapest(r for absent, origin in found for r in _of(question, absent, origin))


def _nones(knowledge: Knowledge, absent: Absent) -> Iterator[Origin]:
    for origin in origins(knowledge, absent.spot, absent.node):
        is_default = isinstance(origin.code.parent(origin.node), ast.arguments)
        if isinstance(origin.node, ast.Constant) and origin.node.value is None and not is_default:
            yield origin


def _of(question: Question, absent: Absent, origin: Origin) -> Iterator[Repair]:
    code, node = origin.code, origin.node
    kinds = Kinds(code, question.knowledge, absent.spot.seen)
    doubt = 0.1 * origin.steps + absent.doubt
    wanted = EMPTY.get(kind(absent.wanted))
    if wanted:
        yield repair(question, f"Start with {wanted}", [code.replace(node, wanted)], 0.3 + doubt)
    target = _target(code, node)
    if code is not absent.code or target != absent.text:
        used = Kinds(absent.code, question.knowledge, absent.spot.seen)
        for value, cost in values_for(used, absent.node):
            title = f"Start with {target} = {value}" if target else f"Start with {value}"
            yield repair(question, title, [code.replace(node, value)], cost + doubt)
    scope = code.class_of(node) if "." in target else code.scope(node)
    for holder in _holders(scope) if target and scope is not None else ():
        for value, cost in initial_values(kinds, holder, target):
            if value != "None":
                edit = code.replace(node, value)
                yield repair(question, f"Start with {target} = {value}", [edit], cost + doubt)


def _target(code: Code, node: ast.AST) -> str:
    statement = code.parent(node)
    if isinstance(statement, ast.Assign):
        return dotted(statement.targets[0])
    return dotted(statement.target) if isinstance(statement, ast.AnnAssign) else ""


def _holders(scope: ast.AST) -> list[ast.AST]:
    """The functions in which the name is used: of a class its methods."""
    if isinstance(scope, ast.ClassDef):
        return [n for n in scope.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [scope]


REPAIRER = Repairer("none at first", _CODES, diagnose, propose)
