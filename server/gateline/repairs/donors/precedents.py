"""What stands in the place of an expression where the text says the same elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.repairs.analysis.code import Code
from gateline.repairs.priors import prior

_HIGHEST = 3
"""Steps up from the expression."""
_FARTHEST = 20
"""Lines between two places from which on they cost no more."""


def precedents(code: Code, node: ast.expr) -> Iterator[tuple[ast.expr, float]]:
    """Expressions in a place like that of `node`, with their cost.

    The more around them is the same, and the nearer they are, the likelier; one that is there already in the
    same expression is not.
    """
    path: list[tuple[str, int]] = []
    whole: ast.AST = node
    found: dict[str, tuple[float, ast.expr]] = {}
    for height in range(_HIGHEST):
        outer = code.parent(whole)
        if outer is None or isinstance(
            outer, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ):
            break
        path.insert(0, _step(outer, whole))
        whole = outer
        for other in _alike(code, whole, path):
            key = ast.dump(other)
            cost = prior("donors.same-place-step") * (2 - height) + _distance(code, node, other)
            cost += _doubled(code, whole, other)
            if key not in found or cost < found[key][0]:
                found[key] = (cost, other)
        if isinstance(whole, ast.stmt):
            break
    yield from ((other, cost) for cost, other in sorted(found.values(), key=lambda row: row[0]))


def _step(outer: ast.AST, inner: ast.AST) -> tuple[str, int]:
    """The field of `outer` that holds `inner`, and the number in it; -1 when it is no list."""
    for name, value in ast.iter_fields(outer):
        if value is inner:
            return name, -1
        if isinstance(value, list) and any(v is inner for v in value):
            return name, next(n for n, v in enumerate(value) if v is inner)
    raise ValueError("the node is no child of the outer node")


def _alike(code: Code, whole: ast.AST, path: list[tuple[str, int]]) -> Iterator[ast.expr]:
    """What stands at a path in other nodes that are the same besides."""
    for other in code.nodes:
        if other is not whole and type(other) is type(whole) and _is_same(whole, other, path):
            at = _at(other, path)
            if isinstance(at, ast.expr) and _says_something(whole, path):
                yield at


def _at(node: ast.AST, path: list[tuple[str, int]]) -> ast.AST | None:
    at: object = node
    for name, number in path:
        at = getattr(at, name, None)
        if number >= 0:
            at = at[number] if isinstance(at, list) and number < len(at) else None
    return at if isinstance(at, ast.AST) else None


def _is_same(one: ast.AST, other: ast.AST, path: list[tuple[str, int]]) -> bool:
    """Whether two nodes are equal but for what stands at a path."""
    (name, number), rest = path[0], path[1:]
    for field, value in ast.iter_fields(one):
        theirs = getattr(other, field, None)
        if field != name:
            if not _equal(value, theirs):
                return False
        elif number >= 0:
            if not isinstance(theirs, list) or len(theirs) != len(value):
                return False
            pairs = zip(value, theirs, strict=True)
            if not all(_equal(v, t) for n, (v, t) in enumerate(pairs) if n != number):
                return False
    inner, theirs = _at(one, path[:1]), _at(other, path[:1])
    if not rest:
        return theirs is not None
    return (
        type(inner) is type(theirs)
        and inner is not None
        and theirs is not None
        and _is_same(inner, theirs, rest)
    )


def _equal(one: object, other: object) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, ast.expr_context):
        return True
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return ast.dump(one) == ast.dump(other)
    return type(one) is type(other) and one == other


def _says_something(whole: ast.AST, path: list[tuple[str, int]]) -> bool:
    """Whether there is a name or a value beside the place: `return …` alone is like any other."""
    hole = _at(whole, path)
    rest = (n for n in ast.walk(whole) if n is not hole)
    return any(isinstance(n, ast.Name | ast.Constant | ast.Attribute) for n in rest)


def _distance(code: Code, node: ast.expr, other: ast.expr) -> float:
    near = code.function(node) is code.function(other)
    lines = min(abs(node.lineno - other.lineno), _FARTHEST)
    return (0 if near else prior("donors.same-place-other-function")) + lines / prior(
        "donors.same-place-lines-per-cost"
    )


def _doubled(code: Code, whole: ast.AST, other: ast.expr) -> float:
    """It would say twice what is said once, in the same condition or in the branch beside it."""
    outer = code.parent(whole)
    while outer is not None and not isinstance(outer, ast.stmt):
        outer = code.parent(outer)
    is_doubled = outer is not None and other in ast.walk(outer)
    return prior("donors.same-place-doubled") if is_doubled else 0
