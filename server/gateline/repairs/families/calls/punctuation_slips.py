"""A dot where a parenthesis belongs, or a comma where a dot does: `rows.append.item`, `text,split(" ")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import members
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.missing_attribute import LACKING, Lacking, lacking
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_FUNCTIONS = {
    "function",
    "method",
    "builtin_function_or_method",
    "type",
    "method_descriptor",
    "method-wrapper",
}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An attribute of a function, or a call of an unknown function behind a comma."""
    found = lacking(problem, knowledge)
    if found is not None and found.owner in _FUNCTIONS:
        return Diagnosis(problem, Family.NAME, "dot-for-call", "a call", found.name, found.places)
    name = undefined(problem, knowledge) if found is None else None
    if name is not None and _before(name.code, name.node) is not None:
        return Diagnosis(problem, Family.NAME, "comma-for-dot", "a method", name.name, name.places)
    return None


def propose(question: Question) -> Iterator[Repair]:
    """The other sign."""
    attribute = lacking(question.problem, question.knowledge)
    if attribute is not None:
        yield from cheapest(_called(question, attribute))
        return
    name = undefined(question.problem, question.knowledge)
    if name is not None:
        yield from cheapest(_dotted(question, name))


def _called(question: Question, found: Lacking) -> Iterator[Repair]:
    """`rows.append.item` is `rows.append(item)` where there is an `item`."""
    code, node = found.code, found.node
    if found.name not in visible(code, node) or found.call is not None:
        return
    text = f"{code.segment(node.value)}({found.name})"
    yield repair(question, f"Write {text}", [code.replace(node, text)], prior("calls.dot-for-call"))


def _dotted(question: Question, found: Undefined) -> Iterator[Repair]:
    """`text,split(" ")` is `text.split(" ")` where a text has that method, or nothing is known of it."""
    before = _before(found.code, found.node)
    if before is None:
        return
    code = found.code
    owner = Kinds(code, question.knowledge, found.spot.seen).of(before)
    known = members(question.knowledge, owner) if owner else {}
    if known and found.name not in known:
        return
    edit = code.edit(code.end(before), code.start(found.node), ".")
    title = f"Write {code.segment(before)}.{found.name}"
    yield repair(
        question, title, [edit], prior("calls.comma-for-dot-known" if known else "calls.comma-for-dot")
    )


def _before(code: Code, node: ast.Name) -> ast.expr | None:
    """What stands before the comma in front of a call of a name."""
    call = code.parent(node)
    holder = code.parent(call) if isinstance(call, ast.Call) and call.func is node else None
    if isinstance(holder, ast.Tuple | ast.List):
        row: list[ast.expr] = holder.elts
    elif isinstance(holder, ast.Call):
        row = holder.args
    else:
        return None
    number = next((n for n, value in enumerate(row) if value is call), 0)
    return row[number - 1] if number else None


REPAIRER = Repairer("punctuation slips", UNDEFINED | LACKING, diagnose, propose)
