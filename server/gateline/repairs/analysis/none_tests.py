"""Tests for None: what a condition asks, and what a name is given where it is None."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, is_none, walk_scope


class Asked(NamedTuple):
    """A part of a condition that tells whether something is None."""

    test: ast.expr
    node: ast.expr
    """What is asked about."""
    if_none: bool
    """Whether the test holds for None."""


class NoneDefault(NamedTuple):
    """`if rows is None: rows = []`, or the same with the test turned round, which was not meant."""

    test: ast.expr
    name: ast.expr
    """What is tested."""
    target: ast.expr
    value: ast.expr
    is_turned: bool


def asked(condition: ast.expr) -> Iterator[Asked]:
    """What a condition asks about None: `value is None`, `not value`, either of them `and` more."""
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And):
        for part in condition.values:
            yield from asked(part)
    elif isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        yield Asked(condition, condition.operand, True)
    elif isinstance(condition, ast.Compare) and len(condition.ops) == 1 and is_none(condition.comparators[0]):
        sign = condition.ops[0]
        if isinstance(sign, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            yield Asked(condition, condition.left, isinstance(sign, ast.Is | ast.Eq))


def none_defaults(nodes: Iterable[ast.AST]) -> Iterator[NoneDefault]:
    """What is given to a thing that is None, or to one of the same name: `self.rows`, for `rows`.

    A value that is made of the thing itself (`if rows is not None: rows = list(rows)`) is no default, nor
    is a thing that is set back to None.
    """
    for node in nodes:
        first = node.body[0] if isinstance(node, ast.If) else None
        if not isinstance(node, ast.If) or not isinstance(first, ast.Assign) or is_none(first.value):
            continue
        for test, name, if_none in asked(node.test):
            used = {dotted(n) for n in ast.walk(first.value)}
            if last(name) and last(name) == last(first.targets[0]) and (if_none or dotted(name) not in used):
                yield NoneDefault(test, name, first.targets[0], first.value, not if_none)


def left_at_once(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[str]:
    """How a function is left at once where one of its parameters is None."""
    for node in (n for n in function.body if isinstance(n, ast.If) and len(n.body) == 1):
        test = next(asked(node.test), None)
        is_whole = test is not None and test.test is node.test and test.if_none and dotted(test.node) == name
        if is_whole and isinstance(node.body[0], ast.Return | ast.Raise):
            yield code.segment(node.body[0])


def is_asked(code: Code, node: ast.expr) -> bool:
    """Whether the text tests a thing of a name for None anywhere: then it may be None."""
    name = dotted(node)
    compared = (n for n in code.nodes if isinstance(n, ast.Compare) and is_none(n.comparators[0]))
    return bool(name) and any(dotted(n.left) == name for n in compared)


def used_where_absent(code: Code, choice: ast.If | ast.IfExp) -> Asked | None:
    """What a choice asks whether it is None, and then uses where it is."""
    test = choice.test
    found = next(asked(test), None) if isinstance(test, ast.Compare) else None
    name = "" if found is None else dotted(found.node)
    if found is None or not name:
        return None
    branch = choice.body if found.if_none else choice.orelse
    for part in branch if isinstance(branch, list) else [branch]:
        nodes = [n for n in ast.walk(part) if dotted(n) == name]
        if any(_needs_it(code, node, is_plain=found.if_none) for node in nodes):
            return found
        if any(not isinstance(getattr(n, "ctx", None), ast.Load) for n in nodes):
            return None
    return None


def is_tested(code: Code, node: ast.expr) -> bool:
    """Whether a value is used in a branch where it is not None."""
    choices = [a for a in code.ancestors(node) if isinstance(a, ast.If | ast.IfExp)]
    tests = [one for choice in choices for one in asked(choice.test)]
    return any(not one.if_none and dotted(one.node) == dotted(node) for one in tests)


def _needs_it(code: Code, node: ast.AST, *, is_plain: bool) -> bool:
    """Whether a value is asked for something, or computed with; where it is plainly None also handed on."""
    holder = code.parent(node)
    if isinstance(holder, ast.Attribute | ast.Subscript):
        return holder.value is node
    if isinstance(holder, ast.Compare):
        return not any(map(is_none, holder.comparators))
    if isinstance(holder, ast.BinOp):
        return not isinstance(holder.op, ast.Mod)
    if isinstance(holder, ast.List | ast.Tuple):
        return is_plain and _needs_it(code, holder, is_plain=True)
    return is_plain and isinstance(holder, ast.Call | ast.keyword)


def has_default(function: ast.AST, name: str) -> bool:
    """Whether a test for None gives a name another value, the right way round or not."""
    return any(
        dotted(found.name) == dotted(found.target) == name for found in none_defaults(walk_scope(function))
    )


def is_reset(code: Code, value: ast.expr, test: ast.expr) -> bool:
    """`if timer is not None: timer = None`: who sets back what is there means that test."""
    given = code.parent(value)
    known = {dotted(node) for node in ast.walk(test)} - {""}
    return (
        is_none(value)
        and isinstance(given, ast.Assign)
        and any(dotted(target) in known for target in given.targets)
    )


def last(node: ast.AST) -> str:
    """What a name, or an attribute of anything, is called; "" for any other expression."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
