"""Operators that collections do not have: `rows - others`, `a * b` of two lists, `defaults + given`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.donors.new_names import fresh
from gateline.repairs.edit_builder import cheapest, fitted, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
_LISTS = frozenset({"list", "tuple"})
_SETS = frozenset({"set", "frozenset"})
_NUMBERS = frozenset({"int", "float"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An operator between collections."""
    found = next(_operations(problem, knowledge), None)
    if found is None:
        return None
    return Diagnosis(problem, Family.TYPE, "collection-operator", found[2], found[1])


def propose(question: Question) -> Iterator[Repair]:
    """What does for collections what was meant."""
    yield from cheapest(_repairs(question))


_Operation = tuple[tuple[Code, ast.BinOp], str, str]
"""Where it stands, and the types of both sides."""


def _repairs(question: Question) -> Iterator[Repair]:
    for (code, node), left, right in _operations(question.problem, question.knowledge):
        for text, cost in _written(code, node, left, right):
            whole = fitted(code, node, text) if text[0] not in "[{" else text
            yield repair(question, f"Write {text}", [code.replace(node, whole)], cost)
        holder = code.parent(node)
        if isinstance(holder, ast.Call) and dotted(holder.func) == "sum" and {left, right} <= _LISTS:
            text = _each(code, node)
            yield repair(
                question, "Sum the products", [code.replace(node, text)], prior("collections.operator")
            )


def _operations(problem: Problem, knowledge: Knowledge) -> Iterator[_Operation]:
    for mismatch in mismatches(problem, knowledge):
        node = mismatch.spot.code.parent(mismatch.node)
        if not isinstance(node, ast.BinOp) or is_test(mismatch.spot.code.path):
            continue
        left, right = _types(mismatch, node)
        if any(_written(mismatch.spot.code, node, left, right)):
            yield (mismatch.spot.code, node), left, right
            return


def _types(mismatch: Mismatch, node: ast.BinOp) -> tuple[str, str]:
    if mismatch.node is node.right:
        return mismatch.wanted or mismatch.actual, mismatch.actual
    return mismatch.actual, mismatch.wanted or mismatch.actual


def _written(code: Code, node: ast.BinOp, left: str, right: str) -> Iterator[tuple[str, float]]:
    one, other, sign = code.segment(node.left), code.segment(node.right), _SIGNS.get(type(node.op), "")
    if sign == "-" and left in _LISTS and right in _LISTS | _SETS:
        name = fresh(code, node, "value")
        yield f"[{name} for {name} in {one} if {name} not in {other}]", prior("collections.operator")
        yield (
            f"set({one}) - set({other})",
            prior("collections.operator") + prior("collections.operator-difference"),
        )
    elif sign == "+" and left == right == "dict":
        yield f"{{**{one}, **{other}}}", prior("collections.operator")
        yield f"{one} | {other}", prior("collections.operator") + prior("collections.operator-union")
    elif sign == "+" and left in _SETS and right in _SETS | _LISTS:
        yield f"{one} | {other}" if right in _SETS else f"{one} | set({other})", prior("collections.operator")
    elif sign in {"*", "-", "/"} and left in _LISTS and right in _LISTS:
        yield f"[{_each(code, node)}]", prior("collections.operator") + prior("collections.operator-each")
    elif sign in {"-", "/", "//", "**", "*"} and left in _LISTS and right in _NUMBERS:
        name = fresh(code, node, "value")
        yield (
            f"[{name} {sign} {other} for {name} in {one}]",
            prior("collections.operator") + prior("collections.operator-each-with"),
        )


def _each(code: Code, node: ast.BinOp) -> str:
    names = [fresh(code, node, name) for name in ("one", "other")]
    pair = f"zip({code.segment(node.left)}, {code.segment(node.right)})"
    return f"{names[0]} {_SIGNS[type(node.op)]} {names[1]} for {', '.join(names)} in {pair}"


REPAIRER = Repairer("operators of collections", MISMATCHES, diagnose, propose)
