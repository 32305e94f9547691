"""Two texts that are computed with, and were to be numbers or moments: both are converted at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.operands import operands
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"can't multiply sequence by non-int of type 'str'()"
    r"|unsupported operand type\(s\) for (-|/|//|\*\*|\+|\*)=?(?: or pow\(\))?: 'str' and 'str'"
)
_FORMS = (
    ("int({0})", "int({0})"),
    ("float({0})", "float({0})"),
    ("int({0})", "float({0})"),
    ("float({0})", "int({0})"),
)
_MOST = 3


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Two texts that cannot be computed with."""
    if _TOLD.search(problem.message) is None:
        return None
    return Diagnosis(problem, Family.TYPE, "both-texts", "numbers", "str")


def propose(question: Question) -> Iterator[Repair]:
    """Numbers of both, where they are used or where they come from."""
    told = _TOLD.search(question.problem.message)
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        for left, right in islice(operands(spot, (told and told[2]) or "*"), 2):
            yield from cheapest(_of(question, spot, left, right))


def _of(question: Question, spot: Spot, left: ast.expr, right: ast.expr) -> Iterator[Repair]:
    known = visible(spot.code, left)
    moments = [f"{name}.fromisoformat({{0}})" for name in ("datetime", "date") if name in known]
    is_difference = "for -" in question.problem.message
    forms = [*_FORMS, *((form, form) for form in moments if is_difference)]
    ones, others = (_chain(question, spot, node) for node in (left, right))
    for far, (one, other) in enumerate(zip(ones, others, strict=False)):
        for rank, (first, second) in enumerate(forms):
            edits = list(dict.fromkeys((_edit(one, first), _edit(other, second))))
            if one.node is other.node and first != second:
                continue
            cost = (
                prior("types.both-texts")
                + prior("types.both-texts-each-further") * far
                + prior("types.both-texts-rank") * rank
            )
            yield repair(question, f"Write {first.format('…')} and {second.format('…')}", edits, cost)


def _chain(question: Question, spot: Spot, node: ast.expr) -> list[Origin]:
    """The operand, and what its value comes from."""
    found = origins(question.knowledge, spot, node)
    plain = [o for o in found if not is_test(o.code.path) and _is_plain(o.node)]
    return plain[:_MOST]


def _is_plain(node: ast.expr) -> bool:
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    return is_read and isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)


def _edit(origin: Origin, form: str) -> Edit:
    return origin.code.replace(origin.node, form.format(origin.code.segment(origin.node)))


REPAIRER = Repairer("both texts", frozenset({"TypeError"}), diagnose, propose)
