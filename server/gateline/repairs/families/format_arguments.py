"""A text with more places than values: `"%s: %s" % (name,)`, `"{} {}".format(name)`, `"%s %s" % a, b`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.reading.code import Code
from gateline.repairs.reading.drafts import cheapest, repair
from gateline.repairs.reading.fillers import fillers
from gateline.repairs.reading.places import Spot, spots

_TOLD = re.compile(r"not enough arguments for format string|Replacement index \d+ out of range")
_MOST = 8
"""Values that are tried at a place."""
_CODES = frozenset({"TypeError", "IndexError"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value too few where text is formatted."""
    if _TOLD.search(problem.message) is None:
        return None
    places = [spot for spot in spots(problem, knowledge)[:1] if any(_values(spot)) or any(_outside(spot))]
    return Diagnosis(problem, Family.TYPE, "missing-argument", "a value more") if places else None


def propose(question: Question) -> Iterator[Repair]:
    """Another value: at the end, or in between."""
    found: list[Repair] = []
    for spot in spots(question.problem, question.knowledge)[:1]:
        for holder, values in _values(spot):
            found += _added(question, spot, holder, values)
        found += _together(question, spot)
    yield from cheapest(found)


def _values(spot: Spot) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """What is formatted, and the values."""
    for node in spot.candidates(ast.BinOp):
        if isinstance(node.op, ast.Mod):
            yield node.right, (node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])
    for call in spot.candidates(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "format":
            yield call, call.args


def _added(question: Question, spot: Spot, holder: ast.expr, values: list[ast.expr]) -> Iterator[Repair]:
    code = spot.code
    known = list(fillers(question.knowledge, spot, holder, ""))[:_MOST]
    for text, cost in known:
        for rank, number in enumerate(range(len(values), -1, -1)):
            edits = [_inserted(code, holder, values, number, text)]
            yield repair(question, f"Give {text}", edits, 0.2 + 0.5 * max(cost, 0) + 0.25 * rank)


def _inserted(code: Code, holder: ast.expr, values: list[ast.expr], number: int, text: str) -> Edit:
    if isinstance(holder, ast.Call | ast.Tuple):
        if number < len(values):
            start = code.start(values[number])
            return code.edit(start, start, f"{text}, ")
        end = code.end(values[-1]) if values else code.end(holder) - 1
        return code.edit(end, end, f", {text}" if values else text)
    one = code.segment(holder)
    return code.replace(holder, f"({text}, {one})" if number == 0 else f"({one}, {text})")


def _outside(spot: Spot) -> Iterator[tuple[ast.Tuple, ast.BinOp]]:
    """`"%s %s" % a, b` is a pair of a text and a value."""
    for node in spot.candidates(ast.BinOp):
        pair = spot.code.parent(node)
        if isinstance(node.op, ast.Mod) and isinstance(pair, ast.Tuple) and pair.elts[0] is node:
            yield pair, node
    for call in spot.candidates(ast.Call):
        first = call.args[0] if len(call.args) > 1 else None
        if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Mod):
            yield ast.Tuple(call.args), first


def _together(question: Question, spot: Spot) -> Iterator[Repair]:
    code = spot.code
    for pair, node in _outside(spot):
        start, end = code.start(node.right), code.end(pair.elts[-1])
        edits = [code.edit(start, start, "("), code.edit(end, end, ")")]
        yield repair(question, "Format all of them", edits, 0.1)


REPAIRER = Repairer("format arguments", _CODES, diagnose, propose)
