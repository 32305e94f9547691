"""Things that are made twice and compared: whether they are equal, or one, is what their class decides."""

from __future__ import annotations

import ast

from gateline.analysis.trees import text_of
from gateline.model.names import last_name

_PYTHONS = frozenset({"Decimal", "Fraction", "Path", "PurePath", "PurePosixPath", "Counter", "OrderedDict"})
"""Classes of Python's own, of which everybody knows that equal ones are equal."""


def is_made_twice(made: ast.expr, op: type[ast.cmpop], place: ast.AST) -> bool:
    """Whether what reads the same on both sides is made anew for each, so that a comparison may fail.

    A statement that has one name on both sides compares one thing with itself.
    """
    if op in (ast.Is, ast.IsNot):
        return isinstance(made, ast.Call) and not _has_one_twice(place)
    return op in (ast.Eq, ast.NotEq) and _is_object(made) and not _has_one_twice(place)


def _is_object(node: ast.expr) -> bool:
    """`Money(3)`, or the hash of such a thing."""
    match node:
        case ast.Call(func=ast.Name(id="hash"), args=[made]):
            return _is_object(made)
        case ast.Call():
            name = last_name(node)
            return name[:1].isupper() and name not in _PYTHONS and not name.endswith("Mock")
        case _:
            return False


def _has_one_twice(place: ast.AST) -> bool:
    return any(_is_named(left) and text_of(left) == text_of(right) for left, right in _sides(place))


def _is_named(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _sides(place: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    found = []
    for node in ast.walk(place):
        match node:
            case ast.Compare(left=left, comparators=[right, *_]):
                found.append((left, right))
            case ast.Call(args=[left, right, *_]):
                found.append((left, right))
    return found
