"""The value with which a name begins, by what is done with it later."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.model.names import dotted
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.priors import prior

EMPTY: Mapping[str, str] = {
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "str": '""',
    "bytes": 'b""',
    "int": "0",
    "float": "0.0",
    "bool": "False",
    "tuple": "()",
}
"""The empty value of each built-in type, as text."""
_METHODS: Mapping[str, tuple[str, ...]] = {
    "append": ("list",),
    "extend": ("list",),
    "insert": ("list",),
    "sort": ("list",),
    "reverse": ("list",),
    "pop": ("list", "dict"),
    "remove": ("list", "set"),
    "add": ("set",),
    "discard": ("set",),
    "union": ("set",),
    "update": ("dict", "set"),
    "setdefault": ("dict",),
    "items": ("dict",),
    "keys": ("dict",),
    "values": ("dict",),
    "get": ("dict",),
    "popitem": ("dict",),
    "join": ("str",),
    "split": ("str",),
    "strip": ("str",),
    "lower": ("str",),
    "upper": ("str",),
    "startswith": ("str",),
    "decode": ("bytes",),
    "copy": ("dict", "list"),
}


def initial_values(kinds: Kinds, scope: ast.AST, target: str) -> list[tuple[str, float]]:
    """Values to begin with, as text and with their cost; the likeliest first.

    `target` is a name, or an attribute as in `self.rows`.
    """
    costs: dict[str, float] = {}
    for value, cost in _all(kinds, scope, target):
        costs[value] = min(cost, costs.get(value, cost))
    return sorted(costs.items(), key=lambda row: row[1])


def _all(kinds: Kinds, scope: ast.AST, target: str) -> Iterator[tuple[str, float]]:
    for node in walk_scope(scope):
        if isinstance(node, ast.Name | ast.Attribute) and dotted(node) == target:
            yield from values_for(kinds, node)
    yield "0", prior("donors.initial-zero")
    yield "[]", prior("donors.initial-list")
    yield '""', prior("donors.initial-str")
    yield "{}", prior("donors.initial-dict")
    yield "1", prior("donors.initial-one")
    yield "set()", prior("donors.initial-set")
    yield "None", prior("donors.initial-none")
    yield "False", prior("donors.initial-false")
    yield "-1", prior("donors.initial-minus-one")
    yield "True", prior("donors.initial-true")


def values_for(kinds: Kinds, node: ast.expr) -> Iterator[tuple[str, float]]:
    """Values that one use of a name or an attribute speaks for, with their cost."""
    parent = kinds.code.parent(node)
    if isinstance(parent, ast.Attribute):
        for rank, kind in enumerate(_METHODS.get(parent.attr, ())):
            yield (
                EMPTY[kind],
                prior("donors.initial-by-method") + prior("donors.initial-by-method-rank") * rank,
            )
    elif isinstance(parent, ast.AugAssign) and parent.target is node:
        yield from _accumulated(kinds, parent)
    elif isinstance(parent, ast.BinOp):
        yield from _operated(kinds, parent, node)
    elif isinstance(parent, ast.Subscript) and parent.value is node:
        is_stored = isinstance(parent.ctx, ast.Store)
        yield "{}", prior("donors.initial-item-set") if is_stored else prior("donors.initial-item-read")
    elif isinstance(parent, ast.Compare):
        yield from _compared(kinds, parent, node)
    elif isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        yield "[]", prior("donors.initial-iterated")


def _operated(kinds: Kinds, node: ast.BinOp, name: ast.expr) -> Iterator[tuple[str, float]]:
    kind = kinds.of(node.right if node.left is name else node.left)
    if kind in EMPTY:
        yield EMPTY[kind], prior("donors.initial-operand")
    if isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant) and node.right.value == 1:
        # The last number of a loop that may never run.
        yield "-1", prior("donors.initial-minus-one-before-increment")


def _accumulated(kinds: Kinds, node: ast.AugAssign) -> Iterator[tuple[str, float]]:
    kind = kinds.of(node.value)
    if kind in EMPTY:
        yield EMPTY[kind], prior("donors.initial-accumulated")
    elif isinstance(node.op, ast.Add | ast.Sub):
        yield "0", prior("donors.initial-sum")
    if isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv):
        yield "1", prior("donors.initial-product")
    elif kind == "int":
        yield "1", prior("donors.initial-one-accumulated")


def _compared(kinds: Kinds, node: ast.Compare, name: ast.expr) -> Iterator[tuple[str, float]]:
    if isinstance(node.ops[0], ast.In | ast.NotIn):
        if name in node.comparators:
            yield "[]", prior("donors.initial-searched-list")
            yield "set()", prior("donors.initial-searched-set")
            yield "{}", prior("donors.initial-searched-dict")
        return
    other = node.comparators[0] if node.left is name else node.left
    kind = kinds.of(other)
    if kind in EMPTY:
        yield EMPTY[kind], prior("donors.initial-compared")
