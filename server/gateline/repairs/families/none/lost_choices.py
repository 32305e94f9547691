"""A choice that was lost around what is made of a value: `x + "." if x else ""`, `n - 1 if n else None`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.edit_builder import cheapest, fitted, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents, diagnosed
from gateline.repairs.priors import prior

_MADE = (ast.BinOp, ast.Call, ast.Attribute, ast.Subscript, ast.JoinedStr, ast.FormattedValue, ast.Starred)
"""What makes a value of another."""
_OF_TEXT = ('""', "None", "[]", "0")
_OF_NUMBERS = ("None", "0", '""', "[]")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value that is None where something is made of it."""
    return diagnosed(problem, knowledge, "lost-choice")


def propose(question: Question) -> Iterator[Repair]:
    """`… if value is not None else …`, as it is written beside, or with the empty value of what is made."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _choices(question, absent))


def _choices(question: Question, absent: Absent) -> Iterator[Repair]:
    code, name = absent.code, dotted(absent.node)
    for rank, whole in enumerate(_made_of(code, absent.node) if name else ()):
        text = code.segment(whole)
        for test, other, cost in (*_as_beside(code, absent.node, whole), *_empty(whole, name)):
            written = fitted(code, whole, f"{text} if {test} else {other}")
            cost += prior("none.choice-rank") * rank + absent.doubt
            yield repair(question, f"Use {other} where {name} is None", [code.replace(whole, written)], cost)


def _made_of(code: Code, node: ast.expr) -> list[ast.expr]:
    """What is computed from a value, the largest first: up to where it is assigned, returned or handed on."""
    found: list[ast.expr] = []
    inner: ast.expr = node
    for outer in code.ancestors(node):
        is_handed_on = isinstance(outer, ast.Call) and outer.func is not inner
        is_formatted = isinstance(outer, ast.BinOp) and isinstance(inner, ast.Tuple | ast.Dict)
        if not isinstance(outer, _MADE) or is_handed_on or is_formatted:
            break
        if isinstance(outer, ast.BinOp | ast.JoinedStr):
            found.append(outer)
        inner = outer
    return found[::-1]


def _as_beside(code: Code, node: ast.expr, whole: ast.expr) -> Iterator[tuple[str, str, float]]:
    """The choice that the function makes in the same words for another value."""
    own = {dotted(n) for n in ast.walk(whole)} | {""}
    for choice in (n for n in walk_scope(code.scope(node)) if isinstance(n, ast.IfExp)):
        used = {dotted(n) for n in ast.walk(choice.body)} if type(choice.body) is type(whole) else set()
        # What stands in both is not what the choice is about.
        for its in dict.fromkeys(dotted(n) for n in ast.walk(choice.test)):
            if its in used - own:
                test = re.sub(rf"\b{re.escape(its)}\b", dotted(node), code.segment(choice.test))
                yield test, code.segment(choice.orelse), prior("none.choice-as-beside")


def _empty(whole: ast.expr, name: str) -> Iterator[tuple[str, str, float]]:
    texts = (n for n in ast.walk(whole) if isinstance(getattr(n, "value", None), str))
    is_text = isinstance(whole, ast.JoinedStr) or any(texts)
    for rank, value in enumerate(_OF_TEXT if is_text else _OF_NUMBERS):
        yield (
            f"{name} is not None",
            value,
            prior("none.choice-empty") + prior("none.choice-empty-rank") * rank,
        )


REPAIRER = Repairer("lost choices", ABSENT, diagnose, propose)
