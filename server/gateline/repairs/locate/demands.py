"""What a place in the code demands of a value there, and whether a type supplies it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import members

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
}
_ITERATING = {"sum", "sorted", "list", "set", "tuple", "enumerate", "any", "all", "map", "filter", "zip"}
_CALLABLE = {"function", "type", "method", "builtin_function_or_method", "functools.partial"}


def demands(code: Code, node: ast.expr) -> set[str]:
    """The members that the code around a node uses of it."""
    parent = code.parent(node)
    if isinstance(parent, ast.Attribute):
        return {parent.attr}
    if isinstance(parent, ast.Subscript) and parent.value is node:
        stored = isinstance(parent.ctx, ast.Store)
        return {"__setitem__" if stored else "__getitem__"}
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        return {"__iter__"}
    if isinstance(parent, ast.Call):
        return _of_call(parent, node)
    return set(_of_operation(parent, node))


def _of_call(call: ast.Call, node: ast.expr) -> set[str]:
    if call.func is node:
        return {"__call__"}
    name = dotted(call.func)
    if name == "len":
        return {"__len__"}
    return {"__iter__"} if name in _ITERATING and call.args[:1] == [node] else set()


def _of_operation(parent: ast.AST | None, node: ast.expr) -> Iterator[str]:
    if isinstance(parent, (ast.BinOp, ast.AugAssign)):
        yield _OPERATORS.get(type(parent.op), "__add__")
    elif isinstance(parent, ast.Compare) and node in parent.comparators:
        number = parent.comparators.index(node)
        if isinstance(parent.ops[number], ast.In | ast.NotIn):
            yield "__contains__"


def supplies(knowledge: Knowledge, kind: str, wanted: set[str]) -> bool | None:
    """Whether a type has what is demanded; None when that is not known."""
    if not kind or not wanted:
        return None
    if kind in _CALLABLE:
        return wanted <= {"__call__", "__name__", "__doc__", "__module__"}
    known = members(knowledge, kind)
    if not known:
        return None
    return wanted <= {*known, *(("__contains__",) if "__iter__" in known else ())}


def suits(kinds: Kinds, node: ast.expr, kind: str) -> bool | None:
    """Whether a value of a type can stand at the place of a node; None when that is not known."""
    verdict = supplies(kinds.knowledge, kind, demands(kinds.code, node))
    if verdict is False:
        return False
    other = _partner(kinds, node)
    if other and kind:
        return _go_together(kind, other)
    return verdict


def _partner(kinds: Kinds, node: ast.expr) -> str:
    """The type of what a node is added to or compared with."""
    parent = kinds.code.parent(node)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub):
        return kinds.of(parent.right if parent.left is node else parent.left)
    if isinstance(parent, ast.Compare) and len(parent.ops) == 1:
        if isinstance(parent.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot):
            return ""
        return kinds.of(parent.comparators[0] if parent.left is node else parent.left)
    return ""


def _go_together(one: str, other: str) -> bool | None:
    numbers = {"int", "float", "bool", "complex"}
    if one == other or {one, other} <= numbers:
        return True
    plain = numbers | {"str", "bytes", "list", "tuple", "dict", "set", "NoneType", "function", "type"}
    return False if one in plain and other in plain else None
