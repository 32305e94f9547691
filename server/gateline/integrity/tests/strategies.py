"""Strategies whose values are sent through a function that makes one of them all, or a few."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gateline.analysis.modules import Function, without_docstring
from gateline.analysis.trees import is_literal, text_of
from gateline.model.names import last_name

_MAPPING = frozenset({"map", "flatmap"})
_OF_ITSELF = (ast.FloorDiv, ast.Div, ast.Sub, ast.Mod, ast.BitXor)
"""What makes the same of any value and itself."""
_OF_NAUGHT = (ast.Mult, ast.Pow, ast.BitAnd)
"""What makes the same of any value and 0."""
_FEW = (ast.Mod, ast.BitAnd)
_BOUNDING = frozenset({"min", "max"})
_FORGETTING = frozenset({"abs", "bool", "sign", "len"})
_Functions = Mapping[str, Function]


def unmapped(strategy: ast.expr, functions: _Functions) -> ast.expr | None:
    """What a strategy draws before its values are made fewer; None where they are not."""
    match strategy:
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[made]) if name in _MAPPING:
            if (answer := _answer(made, functions)) is not None and _forgets(*answer):
                return inner
            return unmapped(inner, functions)
        case _:
            return None


def makes_one(strategy: ast.expr, functions: _Functions) -> bool:
    """Whether whatever is drawn one value is made of it."""
    match strategy:
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[made]) if name in _MAPPING:
            answer = _answer(made, functions)
            return (answer is not None and _is_one(*answer)) or makes_one(inner, functions)
        case ast.Call(args=[made, *_]) if last_name(strategy) == "builds":
            answer = _answer(made, functions)
            return answer is not None and _is_one(*answer)
        case _:
            return False


def _answer(made: ast.expr, functions: _Functions) -> tuple[str, ast.expr] | None:
    """The parameter of a function, and what it makes of it in one expression."""
    match made:
        case ast.Lambda(args=ast.arguments(args=[one]), body=body):
            return one.arg, body
        case ast.Name(id=name) if name in functions:
            function = functions[name]
            match function.args.args, without_docstring(function):
                case [one], [ast.Return(value=ast.expr() as value)]:
                    return one.arg, value
            return None
        case ast.Name(id=name) if name in _FORGETTING:
            return "_", ast.Call(made, [ast.Name("_", ast.Load())], [])
        case _:
            return None


def _is_one(given: str, made: ast.expr) -> bool:
    """Whether the same comes out whatever is given."""
    match made:
        case ast.BinOp(left=left, op=op, right=right):
            same = text_of(left) == text_of(right) and isinstance(op, _OF_ITSELF)
            naught = isinstance(op, _OF_NAUGHT) and "0" in (text_of(left), text_of(right))
            return same or naught or (_is_one(given, left) and _is_one(given, right))
        case ast.Call(args=[inner]) if last_name(made) in ("just", "int", "str", "float", "Decimal"):
            return _is_one(given, inner)
        case _:
            return is_literal(made)


def _forgets(given: str, made: ast.expr) -> bool:
    """Whether many values come to the same, as can be seen from the form."""
    return _is_one(given, made) or any(_loses(given, node) for node in ast.walk(made))


def _loses(given: str, node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _FEW):
            return _uses(given, left) and is_literal(right)
        case ast.BinOp(op=op):
            return isinstance(op, _OF_ITSELF) and _is_one(given, node)
        case ast.Call(func=ast.Name(id=name), args=args) if name in _BOUNDING:
            return len(args) > 1 and any(map(is_literal, args))
        case ast.Call(func=ast.Name(id=name), args=[_]):
            return name in _FORGETTING
        case ast.Subscript(value=value, slice=ast.Slice(upper=ast.Constant())):
            return _uses(given, value)
        case _:
            return False


def _uses(given: str, node: ast.AST) -> bool:
    return any(isinstance(n, ast.Name) and n.id == given for n in ast.walk(node))
