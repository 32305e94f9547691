"""Walks over trees: what they visit is what Python's own do, and in its order."""

from __future__ import annotations

import ast

from hypothesis import given

from gateline.analysis.trees import children, walk
from support.python_texts import MODULES, QUICK

_EVERY_KIND = """
import os as system, sys
from . import a

@decorated(key=1)
class A[T: int](Base, metaclass=Meta):
    x: int = 1

async def f(a, /, b: int = 0, *args: str, c=None, **kwargs) -> "text":
    global g
    async with one() as two, three():
        async for [n, *rest] in many():
            yield lambda: (await n)[1:2, ...].attr
    try:
        del a[0]
    except* (ValueError, OSError) as error:
        raise error from None
    match a:
        case {"k": A(x=1) | [_, *_], **rest} if not b:
            return f"{a!r:>{b}}" + {**{}, 1: {2}}[0]
    return [i for i in a if -i < 3 <= i and (j := i)]

type Alias = list[int]
"""
_OLDER = _EVERY_KIND.replace("[T: int]", "").replace("type Alias = ", "")


def _tree(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.parse(_OLDER)


def _expected(nodes: object) -> list[ast.AST]:
    return [node for node in nodes if not isinstance(node, ast.expr_context)]  # type: ignore[attr-defined]


def test_every_kind_of_node_is_visited_in_order() -> None:
    tree = _tree(_EVERY_KIND)
    assert walk(tree) == _expected(ast.walk(tree))
    for node in ast.walk(tree):
        assert children(node) == _expected(ast.iter_child_nodes(node))


@QUICK
@given(MODULES)
def test_a_walk_is_that_of_ast_without_contexts(text: str) -> None:
    tree = ast.parse(text)
    assert walk(tree) == _expected(ast.walk(tree))
