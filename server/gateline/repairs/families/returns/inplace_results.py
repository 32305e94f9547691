"""The result of a method that works in place is None: `rows = rows.sort()`, `for x in rows.reverse()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.inplace import IN_PLACE
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.priors import prior

_METHODS = IN_PLACE | {"setdefault", "popleft", "write"}
"""Also those that are easily taken for such."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value that is None because of where it comes from."""
    found = [a for a in absents(problem, knowledge) if any(True for _ in _calls(knowledge, a.spot, a.node))]
    if not found:
        return None
    places = tuple(a.place for a in found)
    return Diagnosis(problem, Family.NONE, "in-place-result", "a value", "None", places)


def propose(question: Question) -> Iterator[Repair]:
    """The method stands alone, or a function that returns takes its place."""
    found = absents(question.problem, question.knowledge)
    repairs = (
        r
        for absent in found
        for origin, call in _calls(question.knowledge, absent.spot, absent.node)
        for r in _of(question, origin, call, absent.doubt)
    )
    yield from cheapest(repairs)


def _calls(knowledge: Knowledge, spot: object, node: ast.expr) -> Iterator[tuple[Origin, ast.Call]]:
    for origin in origins(knowledge, spot, node):  # type: ignore[arg-type]
        call = origin.node
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS:
            yield origin, call


def _of(question: Question, origin: Origin, call: ast.Call, doubt: float) -> Iterator[Repair]:
    code, statement = origin.code, origin.code.parent(call)
    cost = prior("returns.in-place") + prior("shared.step") * origin.steps + doubt
    receiver = code.segment(call.func.value)  # type: ignore[attr-defined]
    if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign) and statement.value is call:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        alone = code.edit(code.start(statement), code.start(call), "")
        same = code.segment(target) == receiver
        yield repair(
            question,
            "Remove the assignment",
            [alone],
            cost if same else cost + prior("returns.in-place-other-name"),
        )
        if not same:
            yield from _copied(question, code, statement, call, cost)
    if isinstance(statement, ast.Return):
        line = code.edit(
            code.start(statement), code.end(statement), _two_lines(code, statement, call, receiver)
        )
        yield repair(question, f"Return {receiver}", [line], cost + prior("returns.in-place-returned"))
    for text in _functions(code, call, receiver):
        yield repair(
            question, f"Write {text}", [code.replace(call, text)], cost + prior("returns.in-place-rewritten")
        )


def _copied(
    question: Question, code: Code, statement: ast.stmt, call: ast.Call, cost: float
) -> Iterator[Repair]:
    """`all = rows.update(more)`: the method first, then the name."""
    segment = code.segment(call)
    receiver = code.segment(call.func.value)  # type: ignore[attr-defined]
    target = code.text[code.start(statement) : code.start(call)]
    text = f"{segment}{code.newline}{code.indent(statement.lineno - 1)}{target}{receiver}"
    yield repair(
        question,
        "Call the method first, then assign the object",
        [code.replace(statement, text)],
        cost + prior("returns.in-place-copied"),
    )


def _two_lines(code: Code, statement: ast.Return, call: ast.Call, receiver: str) -> str:
    indent = code.indent(statement.lineno - 1)
    return f"{code.segment(call)}{code.newline}{indent}return {receiver}"


def _functions(code: Code, call: ast.Call, receiver: str) -> Iterator[str]:
    """Expressions with the value that the method leaves behind."""
    name = call.func.attr  # type: ignore[attr-defined]
    inside = code.text[code.end(call.func) : code.end(call)].strip()[1:-1].strip()
    if name == "sort":
        yield f"sorted({receiver}{', ' if inside else ''}{inside})"
    elif name == "reverse":
        yield f"{receiver}[::-1]"
        yield f"list(reversed({receiver}))"
    elif name in {"append", "add"}:
        yield f"{receiver} + [{inside}]" if name == "append" else f"{receiver} | {{{inside}}}"
    elif name == "extend":
        yield f"{receiver} + {inside}"
    elif name == "update":
        yield f"{{**{receiver}, **{inside}}}"


REPAIRER = Repairer("in-place results", ABSENT, diagnose, propose)
