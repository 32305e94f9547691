"""A body without the steps that come to nothing, so that an answer that is always the same is seen."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import dropwhile

from gateline.analysis.modules import given_by
from gateline.analysis.trees import is_literal
from gateline.model.names import last_name

_IDLE = (ast.Pass, ast.Continue, ast.Break)


def said_plainly(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A body as `return []`, where it says that by a name nobody changes, an idle loop, or no `yield`."""
    left = [node for node in body if not _is_idle(node)]
    match left:
        case [_, *_, ast.Pass() as nothing] if without_guards(left) == [nothing]:
            return [nothing]
        case [*docstring, ast.Expr(value=ast.YieldFrom(value=value)) as told] if _is_empty(value):
            return [*docstring, ast.copy_location(ast.Return(ast.List([], ast.Load())), told)]
        case [*docstring, first, ast.Return(value=ast.Name(id=name)) as told]:
            given = dict(given_by(first))
            if name in given and is_literal(given[name]):
                return [*docstring, ast.copy_location(ast.Return(given[name]), told)]
    return left or list(body)


def without_guards(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A body without the statements at its beginning that only refuse some input."""
    return list(dropwhile(_is_guard, body))


def _is_guard(node: ast.stmt) -> bool:
    """Whether a statement only refuses some input."""
    return isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Raise)


def _is_idle(node: ast.stmt) -> bool:
    """Whether a loop does nothing but to go on."""
    if not isinstance(node, ast.For | ast.AsyncFor):
        return False
    return all(isinstance(inner, _IDLE) for inner in (*node.body, *node.orelse))


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.Tuple(elts=[]) | ast.List(elts=[]):
            return True
        case ast.Call(args=[inner]):
            return last_name(value) == "iter" and _is_empty(inner)
        case _:
            return False
