"""Comparisons that nobody writes so on purpose: as a statement, or of an element with what it is put into."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.repairs.analysis.bug_patterns import Slip
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.analysis.scopes import stores, visible
from gateline.repairs.priors import prior

_SIGNS = {ast.Eq: "in", ast.NotEq: "not in"}


def slips_of_comparisons(code: Code) -> Iterator[Slip]:
    """What is wrong with the comparisons of a text."""
    for node in code.nodes:
        if isinstance(node, ast.Expr):
            yield from _without_effect(code, node)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SIGNS:
            yield from _with_a_collection(code, node)


def _without_effect(code: Code, node: ast.Expr) -> Iterator[Slip]:
    """`count == 0` as a statement was to assign."""
    value = node.value
    is_equal = isinstance(value, ast.Compare) and len(value.ops) == 1 and isinstance(value.ops[0], ast.Eq)
    if isinstance(value, ast.Compare) and is_equal and isinstance(value.left, ast.Name | ast.Attribute):
        start, end = code.end(value.left), code.start(value.comparators[0])
        edits, cost = [code.edit(start, end, " = ")], prior("analysis.lost-assignment")
        yield Slip("Change == to =", edits, "lost-assignment", cost)


def _with_a_collection(code: Code, node: ast.Compare) -> Iterator[Slip]:
    """`row != unique`, where `unique` is a list that rows are put into, is `row not in unique`."""
    right = node.comparators[0]
    function = code.function(node)
    if (
        not isinstance(right, ast.Name)
        or function is None
        or not isinstance(node.left, ast.Name | ast.Subscript)
    ):
        return
    held = visible(code, right).get(right.id)
    nodes = list(walk_scope(function))
    made = [code.parent(s) for s in stores(nodes, right.id)]
    begins = [n.value for n in made if isinstance(n, ast.Assign)]
    if held is None or not begins or not all(isinstance(v, ast.List | ast.Set) for v in begins):
        return
    is_filled = any(isinstance(n, ast.AugAssign) for n in made) or any(
        isinstance(c := changed_by(n), ast.Name) and c.id == right.id for n in nodes
    )
    if is_filled and _is_element(code, node.left):
        sign = _SIGNS[type(node.ops[0])]
        edit = code.edit(code.end(node.left), code.start(right), f" {sign} ")
        yield Slip(f"Test {sign}", [edit], "element-of", prior("analysis.element-of"))


def _is_element(code: Code, node: ast.expr) -> bool:
    """Whether it is one of several: what a loop binds, or an item."""
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice)
    held = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
    loop = None if held is None or held.node is None else code.parent(held.node)
    return isinstance(loop, ast.For) and held is not None and loop.target is held.node
