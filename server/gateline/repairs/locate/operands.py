"""What an operator that a message names stands between."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise

from gateline.repairs.locate.places import Spot
from gateline.repairs.priors import prior


def operands(spot: Spot, op: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs of expressions that an operator, a comparison or a call like `divmod()` joins."""
    for node in spot.candidates(ast.BinOp):
        if _is_operator(node.op, op):
            yield node.left, node.right
    for changed in spot.candidates(ast.AugAssign):
        if _is_operator(changed.op, op):
            yield changed.target, changed.value
    for compared in [] if is_arithmetic(op) else spot.candidates(ast.Compare):
        yield from pairwise([compared.left, *compared.comparators])
    for call in spot.candidates(ast.Call) if op.endswith("()") else []:
        if len(call.args) == 2:
            yield call.args[0], call.args[1]


_NOT_NUMBERS = frozenset({"str", "bytes", "list", "tuple", "dict", "NoneType", "function"})
_SCALARS = frozenset({"int", "float", "bool", "complex"})
_SIGNS: Mapping[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod,
    "**": ast.Pow, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
    "@": ast.MatMult,
}  # fmt: skip


def _is_operator(node: ast.operator, op: str) -> bool:
    sign = op.removesuffix("=") if op.removesuffix("=") in _SIGNS else op.partition(" ")[0]
    return not op or isinstance(node, _SIGNS.get(sign, ast.operator))


def is_arithmetic(op: str) -> bool:
    """Whether it is an operator that computes, also one that assigns."""
    return op.removesuffix("=") in _SIGNS


def doubt_of(op: str, wanted: str, actual: str) -> float:
    """How unlikely it is that the operand of type `actual` should be a `wanted`."""
    if is_arithmetic(op):
        is_odd = wanted in _NOT_NUMBERS and not op.startswith(("+", "%", "*"))
        return prior("locate.operand-no-number") if is_odd else 0
    if op and actual in _SCALARS and wanted not in _SCALARS:
        return prior("locate.operand-no-scalar")
    is_member = bool(op) and wanted in _SCALARS and actual in {"tuple", "list", "dict"}
    return prior("locate.operand-collection") if is_member else 0
