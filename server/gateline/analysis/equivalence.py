"""Whether two trees do the same, whatever is written beside the code, or with other values only."""

from __future__ import annotations

import ast

_SCOPES = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_COUNTING = (-1, 0, 1, 2)
"""Numbers that count steps and places: another one is another way to go, not another value."""
_Pair = tuple[object, object, bool]
"""What stands at one place of two trees, and whether values matter there."""


def does_the_same(one: ast.AST | None, other: ast.AST | None, *, values: bool = True) -> bool:
    """Whether two trees differ in docstrings at most; without `values`, also in a rate, a limit, a text."""
    # Not as text: this stops at the first difference, and copies nothing.
    waiting: list[_Pair] = [(one, other, values)]
    while waiting:
        below = _below(waiting.pop())
        if below is None:
            return False
        waiting += below
    return True


def _below(pair: _Pair) -> list[_Pair] | None:
    """What is left to be looked at of two things; None where they already differ."""
    one, other, strict = pair
    match one, other:
        case ast.Constant(), ast.Constant():
            return [] if _is_alike(one.value, other.value, strict=strict) else None
        case ast.AST(), ast.AST() if type(one) is type(other):
            return [_field(name, one, other, strict=strict) for name in one._fields]
        case list(), list() if len(one) == len(other):
            return [(mine, others, strict) for mine, others in zip(one, other, strict=True)]
        case _:
            return [] if type(one) is type(other) and one == other else None


def _field(name: str, one: ast.AST, other: ast.AST, *, strict: bool) -> _Pair:
    if name == "body" and isinstance(one, _SCOPES) and isinstance(other, _SCOPES):
        return without_words(one.body), without_words(other.body), strict
    # Which place is looked at is what the code does, not a value of it.
    matters = strict or (name == "slice" and isinstance(one, ast.Subscript))
    return getattr(one, name, None), getattr(other, name, None), matters


def _is_alike(one: object, other: object, *, strict: bool) -> bool:
    if not strict and not _counts(one) and not _counts(other):
        return True
    return type(one) is type(other) and one == other


def _counts(value: object) -> bool:
    return isinstance(value, bool | type(None)) or value in _COUNTING


def without_words(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a body without docstrings, and other values that stand there for themselves."""
    return [n for n in body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
