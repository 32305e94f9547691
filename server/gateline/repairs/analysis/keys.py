"""What is put under a key, wherever the text does: an entry is made at one place and read at others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.repairs.analysis.code import Code

_MOST = 5


def values_of_key(code: Code, node: ast.Subscript | ast.Call) -> Iterator[ast.expr]:
    """The values that displays and assignments of the text put under the key that is looked up."""
    key = node.slice if isinstance(node, ast.Subscript) else node.args[0]
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        found = [value for other in code.nodes for value in _put(code, other, key.value)]
        yield from (value for value in found[:_MOST] if value is not node)


def _put(code: Code, node: ast.AST, key: str) -> Iterator[ast.expr]:
    if isinstance(node, ast.Dict):
        yield from (v for k, v in zip(node.keys, node.values, strict=True) if _is(k, key))
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _is(node.slice, key):
        given = code.parent(node)
        if isinstance(given, ast.Assign | ast.AnnAssign) and given.value is not None:
            yield given.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        yield from (k.value for k in node.keywords if k.arg == key)


def _is(node: ast.AST | None, key: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == key
