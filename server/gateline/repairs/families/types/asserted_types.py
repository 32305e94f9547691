"""A check that fails although both sides say the same, by values of different types: `[1, 2]` and `(1, 2)`.

The function that the check calls gives the other type where it returns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import called
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.dataflow import returned
from gateline.repairs.analysis.scopes import stores
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import code_at
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, covering
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"assert (?P<left>.+?) == (?P<right>[^\n]+)")
_LAZY = re.compile(
    r"<(?P<kind>map|filter|zip|generator|dict_\w+|reversed|enumerate|range|list_reverseiterator) object"
)
_VIEW = re.compile(r"(?P<kind>dict_(?:keys|values|items)|range|deque|Counter|defaultdict)\(")
_FORMS = {
    ("bytes", "str"): ("{0}.decode()",),
    ("str", "bytes"): ("{0}.encode()",),
    ("list", "tuple"): ("tuple({0})",),
    ("tuple", "list"): ("list({0})",),
    ("list", "set"): ("set({0})",),
    ("set", "list"): ("sorted({0})", "list({0})"),
    ("tuple", "set"): ("set({0})",),
    ("str", "int"): ("int({0})",),
    ("str", "float"): ("float({0})",),
    ("int", "str"): ("str({0})",),
    ("float", "str"): ("str({0})",),
    ("list", "str"): ('"".join({0})',),
    ("list", "int"): ("len({0})", "sum({0})"),
    ("lazy", "list"): ("list({0})", "sorted({0})"),
    ("lazy", "tuple"): ("tuple({0})",),
    ("lazy", "set"): ("set({0})",),
    ("lazy", "str"): ('"".join({0})',),
}
_LAZY_KINDS = frozenset(
    {"map", "filter", "zip", "generator", "dict_keys", "dict_values", "dict_items", "reversed"}
)


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Both sides of a check have other types."""
    if problem.origin is not Origin.RUN or problem.type != "AssertionError":
        return None
    found = next(_results(problem, knowledge), None)
    if found is None:
        return None
    return Diagnosis(problem, Family.TYPE, "type-of-a-result", found.wanted, found.actual)


def propose(question: Question) -> Iterator[Repair]:
    """Convert what the function returns."""
    yield from cheapest(_repairs(question))


class _Result(NamedTuple):
    """What a function returns that a check calls."""

    code: Code
    value: ast.expr
    actual: str
    wanted: str
    rank: int


def _repairs(question: Question) -> Iterator[Repair]:
    for found in _results(question.problem, question.knowledge):
        for rank, form in enumerate(_FORMS[found.actual, found.wanted]):
            cost = (
                prior("types.asserted")
                + prior("shared.rank") * rank
                + prior("types.asserted-frame-rank") * found.rank
            )
            yield _written(question, found.code, found.value, form, cost)


def _results(problem: Problem, knowledge: Knowledge) -> Iterator[_Result]:
    told = _told(problem)
    for spot in _checks(problem, knowledge):
        for check in spot.candidates(ast.Assert):
            for call, wanted in _compared(check):
                for number, value in enumerate(_returned(knowledge, spot, call)):
                    types = told or (_lazy(_type_of(knowledge, *value)), wanted)
                    if types in _FORMS and not isinstance(value[1], ast.Constant):
                        yield _Result(*value, *types, number)


def _compared(check: ast.Assert) -> Iterator[tuple[ast.Call, str]]:
    """The calls that a check compares with a value that is written there, with the type of that."""
    for node in ast.walk(check):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                if isinstance(one, ast.Call) and not isinstance(other, ast.Call):
                    yield one, _kind(ast.unparse(other))


def _returned(knowledge: Knowledge, spot: Spot, call: ast.Call) -> Iterator[tuple[Code, ast.expr]]:
    for definition in called(knowledge, spot, call)[:1]:
        if not is_test(definition.code.path):
            yield from ((definition.code, value) for value in returned(definition))


def _written(question: Question, code: Code, value: ast.expr, form: str, cost: float) -> Repair:
    text = code.segment(value)
    is_plain = "({0})" in form or isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    written = form.format(text if is_plain else f"({text})")
    return repair(question, f"Return {written}", [code.replace(value, written)], cost)


def _type_of(knowledge: Knowledge, code: Code, value: ast.expr) -> str:
    """The type of what is returned; of a name the one with which it begins, where it is added to later."""
    kinds, function = Kinds(code, knowledge), code.function(value)
    found = kinds.of(value)
    if found or function is None or not isinstance(value, ast.Name):
        return found
    given = [code.parent(store) for store in stores(walk_scope(function), value.id)]
    begun = {kinds.of(n.value) for n in given if isinstance(n, ast.Assign)}
    return begun.pop() if len(begun) == 1 else ""


def _lazy(kind: str) -> str:
    last = kind.rpartition(".")[2]
    return "lazy" if last in _LAZY_KINDS else last


def _told(problem: Problem) -> tuple[str, str] | None:
    """The types of what was given and of what was expected."""
    told = _TOLD.search(problem.message)
    if told is None:
        return None
    left, right = _kind(told["left"]), _kind(told["right"])
    return (left, right) if left and right and left != right else None


def _kind(text: str) -> str:
    if _LAZY.match(text.strip()) or _VIEW.match(text.strip()):
        return "lazy"
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ""
    return type(value).__name__


def _checks(problem: Problem, knowledge: Knowledge) -> Iterator[Spot]:
    """The check itself, as it stands in a test."""
    inner = next((f for f in reversed(problem.frames) if f.ours), None)
    code = code_at(knowledge, inner.path) if inner is not None and is_test(inner.path) else None
    if code is not None and inner is not None:
        node = covering(code, inner.span) if inner.span else None
        yield Spot(code, inner.line, node, dict(inner.seen))


REPAIRER = Repairer("types of results", frozenset({"AssertionError"}), diagnose, propose)
