"""Names whose value another function changes: what they stood for once says nothing of them later."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.trees import children

_CHANGING = frozenset(
    {"append", "appendleft", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "clear"}
)
GROWN = "grown"
"""What a value is said to be that something was done to; no name of the test's own."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def growing(function: ast.AST) -> frozenset[str]:
    """The names of a function that functions in it change, or that it hands out to be changed."""
    return frozenset(_changed(function, inner=False))


def _changed(node: ast.AST, *, inner: bool) -> Iterator[str]:
    for child in children(node):
        match child:
            case ast.Nonlocal(names=names):
                yield from names
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in _CHANGING:
                # Called in place it is part of what the test itself does.
                yield from [name] if inner else []
                yield from _changed(ast.Tuple([*child.args, *(k.value for k in child.keywords)]), inner=inner)
                continue
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in _CHANGING:
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()) if inner:
                yield name
        yield from _changed(child, inner=inner or isinstance(child, _SCOPES))


def as_grown(value: ast.expr) -> ast.expr:
    """What a name stands for that began as a value, and is another one by now."""
    return ast.Call(ast.Name(GROWN, ast.Load()), [value], [])


def is_grown(value: ast.expr) -> bool:
    """Whether a value is said to have been changed since."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == GROWN
