"""A name or attribute that begins as None and is used as a container: it begins empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, is_none
from gateline.repairs.analysis.dataflow import Origin, origins, value_of
from gateline.repairs.analysis.modules import workspace_modules
from gateline.repairs.analysis.types import Kinds, kind
from gateline.repairs.analysis.world import code_at
from gateline.repairs.donors.initial_values import EMPTY, initial_values, values_for
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = ABSENT | {"assignment"}
_EMPTY = frozenset({"[]", "{}", "()", "set()", "list()", "dict()", "tuple()"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """None that was assigned on purpose, where something else is needed."""
    found = [
        a for a in absents(problem, knowledge) if any(_nones(knowledge, a)) or any(_lone_none(knowledge, a))
    ]
    if not found:
        return None
    places = tuple(a.place for a in found)
    return Diagnosis(problem, Family.NONE, "none-at-first", found[0].wanted, "None", places)


def propose(question: Question) -> Iterator[Repair]:
    """An empty container, by what is done with it."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _of_absent(question, absent))


def _of_absent(question: Question, absent: Absent) -> Iterator[Repair]:
    for origin in _nones(question.knowledge, absent):
        yield from _of(question, absent, origin)
    yield from _set_elsewhere(question, absent)


def _set_elsewhere(question: Question, absent: Absent) -> Iterator[Repair]:
    """The one place where an attribute becomes None, of any object; elsewhere it becomes something plain."""
    for code, value, others in _lone_none(question.knowledge, absent):
        for rank, text in enumerate(others):
            title = f"Set {_target(code, value)} to {text}"
            # Who sets back an attribute of its own may mean it, and tests for it elsewhere.
            base = prior(
                "none.attribute-of-self" if _target(code, value).startswith("self.") else "none.attribute-set"
            )
            cost = base + prior("none.attribute-set-rank") * rank + absent.doubt
            yield repair(question, title, [code.replace(value, text)], cost)


def _lone_none(knowledge: Knowledge, absent: Absent) -> Iterator[tuple[Code, ast.expr, list[str]]]:
    name = absent.node.attr if isinstance(absent.node, ast.Attribute) else ""
    found = list(_set(knowledge, name)) if name else []
    nones = [(code, value) for code, value in found if is_none(value)]
    others = sorted({code.segment(v) for code, v in found if not is_none(v) and _is_plain(v)})
    yield from ((*row, others) for row in nones if others and len(nones) == 1)


def _set(knowledge: Knowledge, name: str) -> Iterator[tuple[Code, ast.expr]]:
    """What the texts of the workspace set an attribute of a name to."""
    for path in workspace_modules(knowledge.paths()).values():
        text = "" if is_test(path) else knowledge.text(path) or ""
        code = code_at(knowledge, path) if f".{name} = " in text else None
        for store in code.stored_attributes.get(name, ()) if code is not None else ():
            value = value_of(code, store) if code is not None else None
            if code is not None and value is not None:
                yield code, value


def _is_plain(value: ast.expr) -> bool:
    """A constant, or what is empty: anything else may need what is not there."""
    return isinstance(value, ast.Constant) or ast.unparse(value) in _EMPTY


def _nones(knowledge: Knowledge, absent: Absent) -> Iterator[Origin]:
    for origin in origins(knowledge, absent.spot, absent.node):
        is_default = isinstance(origin.code.parent(origin.node), ast.arguments)
        if isinstance(origin.node, ast.Constant) and origin.node.value is None and not is_default:
            yield origin


def _of(question: Question, absent: Absent, origin: Origin) -> Iterator[Repair]:
    code, node = origin.code, origin.node
    kinds = Kinds(code, question.knowledge, absent.spot.seen)
    doubt = prior("shared.step") * origin.steps + absent.doubt
    wanted = EMPTY.get(kind(absent.wanted))
    if wanted:
        yield repair(
            question,
            f"Start with {wanted}",
            [code.replace(node, wanted)],
            prior("none.attribute-start") + doubt,
        )
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
