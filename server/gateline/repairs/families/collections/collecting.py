"""Collecting into a container: `rows += row`, `rows.extend(row)`, `key + mark` with a single element."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.messages import Saying, types_of, understand, wording
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

_SEVERAL = frozenset({"list", "tuple", "set", "frozenset"})
_CODES = "TypeError arg-type operator"
_TABLE = (
    wording("element", _CODES, r"'(?P<type>[\w.]+)' object is not iterable"),
    wording("element", _CODES, r"can only concatenate (?P<left>list|tuple) \(not \"(?P<type>[\w.]+)\"\)"),
    wording(
        "element",
        _CODES,
        r"Argument 1 to \"(?:extend|update|__iadd__)\" .*incompatible type \"(?P<type>[^\"]+)\"",
    ),
    wording(
        "element", _CODES, r"Unsupported operand types for \+ \(\"(?:list|tuple).* and \"(?P<type>[^\"]+)\"\)"
    ),
)


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """One element where several are expected."""
    said = understand(problem, _TABLE)
    found = spots(problem, knowledge)[:1] if said else []
    places = tuple(
        Place(s.code.path, s.code.span(n)) for s in found for n in s.candidates(ast.AugAssign, ast.Call)
    )
    if said is None or not found or said["type"] == "NoneType":
        # None is no element that anybody wants to have.
        return None
    return Diagnosis(problem, Family.TYPE, "single-element", "several elements", said["type"], places)


def propose(question: Question) -> Iterator[Repair]:
    """The element is appended, or put into a list of its own."""
    found = spots(question.problem, question.knowledge)[:1]
    said = understand(question.problem, _TABLE)
    rows = (r for s in found if said for r in (*_added(question, s, said), *_extended(question, s)))
    yield from cheapest(rows)


def _added(question: Question, spot: Spot, said: Saying) -> Iterator[Repair]:
    code = spot.code
    for node in spot.candidates(ast.AugAssign):
        if isinstance(node.op, ast.Add):
            inside = _element(node.value, code.segment(node.target))
            text = code.segment(inside).rstrip(", ")
            yield repair(
                question,
                f"Append {text}",
                [code.replace(node, f"{code.segment(node.target)}.append({text})")],
                prior("collections.appended"),
            )
            yield repair(
                question,
                f"Write [{text}]",
                [code.replace(node.value, f"[{text}]")],
                prior("collections.added-as-list"),
            )
            yield repair(
                question,
                f"Write ({text},)",
                [code.replace(node.value, f"({text},)")],
                prior("collections.added-as-tuple"),
            )
    for plus in spot.candidates(ast.BinOp):
        if isinstance(plus.op, ast.Add):
            text = code.segment(plus.right)
            kinds = Kinds(code, question.knowledge, spot.seen)
            is_tuple = "tuple" in {kinds.of(plus.left), said["left"]}
            wrapped = f"({text},)" if is_tuple else f"[{text}]"
            # What holds several elements already is converted: by another family.
            cost = prior(
                "collections.added-several"
                if kinds.of(plus.right) in _SEVERAL or said["type"] == "list"
                else "collections.added"
            )
            yield repair(question, f"Write {wrapped}", [code.replace(plus.right, wrapped)], cost)


def _element(node: ast.expr, target: str) -> ast.expr:
    """What is added, without the container itself and without a conversion around it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and ast.unparse(node.left) == target:
        node = node.right
    is_call = isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords
    if isinstance(node, ast.Call) and is_call and ast.unparse(node.func) in {"list", "tuple", "set"}:
        return node.args[0]
    return node


def _extended(question: Question, spot: Spot) -> Iterator[Repair]:
    code = spot.code
    for call in spot.candidates(ast.Call):
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in {"extend", "update"} and len(call.args) == 1:
            single = "append" if func.attr == "extend" else "add"
            end = code.end(func)
            name = code.edit(end - len(func.attr), end, single)
            inside = _element(call.args[0], "")
            edits = (
                [name] if inside is call.args[0] else [name, code.replace(call.args[0], code.segment(inside))]
            )
            yield repair(question, f"Call {single}()", edits, prior("collections.extended-single"))
            text = f"[{code.segment(inside)}]"
            yield repair(
                question,
                f"Write {text}",
                [code.replace(call.args[0], text)],
                prior("collections.extended-wrapped"),
            )


REPAIRER = Repairer("collecting", types_of(_TABLE), diagnose, propose)
