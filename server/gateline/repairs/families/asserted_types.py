"""A check that fails although both sides say the same, by values of different types: `[1, 2]` and `(1, 2)`.

The function that the check calls gives the other type where it returns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.reading.callees import called
from gateline.repairs.reading.code import Code
from gateline.repairs.reading.drafts import cheapest, repair
from gateline.repairs.reading.origins import returned
from gateline.repairs.reading.places import Spot, covering
from gateline.repairs.reading.world import code_at
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
_COST = 0.3


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Both sides of a check have other types."""
    found = _told(problem) if problem.origin is Origin.RUN else None
    if found is None or found not in _FORMS:
        return None
    return Diagnosis(problem, Family.TYPE, "type-of-a-result", found[1], found[0])


def propose(question: Question) -> Iterator[Repair]:
    """Convert what the function returns."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    forms = _FORMS.get(_told(question.problem) or ("", ""), ())
    for spot in _checks(question.problem, question.knowledge):
        for call in spot.candidates(ast.Call)[:2]:
            for definition in called(question.knowledge, spot, call)[:1]:
                values = returned(definition)
                for value in values if not is_test(definition.code.path) else ():
                    for rank, form in enumerate(forms if _is_converted(value) else ()):
                        yield _written(question, definition.code, value, form, _COST + 0.1 * rank)


def _written(question: Question, code: Code, value: ast.expr, form: str, cost: float) -> Repair:
    text = code.segment(value)
    is_plain = "({0})" in form or isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    written = form.format(text if is_plain else f"({text})")
    return repair(question, f"Return {written}", [code.replace(value, written)], cost)


def _is_converted(value: ast.expr) -> bool:
    return not isinstance(value, ast.Constant)


def _told(problem: Problem) -> tuple[str, str] | None:
    """The types of what was given and of what was expected."""
    told = _TOLD.search(problem.message) if problem.type == "AssertionError" else None
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
