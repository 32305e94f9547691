"""What a comparison looks at when it looks at a part only: a slice, the letters in one case, a length."""

from __future__ import annotations

import ast
import contextlib

from gateline.analysis.trees import is_literal, text_of
from gateline.integrity.tests.check import EXACT, NEARLY, PARTIAL
from gateline.model.names import last_name

_NUMBERS = frozenset({"int", "float", "Decimal", "Fraction"})
EACH = "each"
"""Stands for the place of an item while a loop goes through two things at once."""
_FORGETTING = frozenset(
    {"len", "type", "set", "frozenset", "sorted", "Counter", "sum", "min", "max", "next", "int", "hash"}
)
"""Functions that forget a part of their argument."""
_FORGETTING_METHODS = frozenset({"split", "lower", "upper", "casefold", "swapcase"})
_OF_BOTH = _FORGETTING_METHODS | {"strip", "splitlines"}
"""Methods that both sides of a comparison may be asked for."""
_FORGETTING_OF_BOTH = _FORGETTING | {"round", "abs", "bool"}
"""Functions through which both sides may be sent."""


def whole(left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr, int]:
    """Both sides of a comparison, without what is done to both; and how much their being equal says."""
    match left, right:
        case ast.Subscript(slice=ast.Name(id=one)), ast.Subscript(slice=ast.Name(id=other)) if (
            one == other == EACH
        ):
            return whole(left.value, right.value)
        case ast.Call(), ast.Call() if (inner := _sent_through(left, right)) is not None:
            return *inner, NEARLY if isinstance(left.func, ast.Attribute) else PARTIAL
        case ast.ListComp(generators=[one]), ast.ListComp(generators=[other]):
            same_made = text_of(left.elt) == text_of(right.elt) and text_of(one.target) == text_of(
                other.target
            )
            if same_made and not one.ifs and not other.ifs:
                return one.iter, other.iter, NEARLY
        case ast.Subscript(slice=ast.Slice() as part), ast.Subscript(slice=ast.Slice() as same):
            if text_of(part) == text_of(same):
                return left.value, right.value, NEARLY
        case _:
            pass
    return left, right, _strength(left)


def _sent_through(left: ast.Call, right: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """What both sides are before they are sent through the same function, or asked for the same."""
    match left, right:
        case ast.Call(func=ast.Attribute(value=one)), ast.Call(func=ast.Attribute(value=other)):
            same = last_name(left) in _OF_BOTH and _how(left) == _how(right)
        case ast.Call(func=ast.Name(id=name), args=[one]), ast.Call(func=ast.Name(id=also), args=[other]):
            same = name == also and name in _FORGETTING_OF_BOTH
        case _:
            return None
    return (one, other) if same and not is_literal(one) else None


def bounds(node: ast.Compare) -> ast.Compare:
    """A comparison with bounds that are numbers, whatever type they are given in: `20` of `Decimal("20")`."""
    ends = [_as_number(part) for part in (node.left, *node.comparators)]
    return ast.Compare(ends[0], node.ops, ends[1:])


def _as_number(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=int() | float() | str() as value)]):
            if name in _NUMBERS:
                with contextlib.suppress(ValueError, OverflowError):
                    return ast.Constant(float(value))
        case _:
            pass
    return node


def _how(call: ast.Call) -> tuple[str, list[str]]:
    return last_name(call), [text_of(argument) for argument in call.args]


def _strength(node: ast.expr) -> int:
    """How much it says of a thing that an expression made of it has some value."""
    match node:
        case ast.Call(func=ast.Name(id="round"), args=[_, *digits]):
            return EXACT if digits and not _is_coarse(digits[0]) else NEARLY
        case ast.Call(func=ast.Name(id=name)):
            return PARTIAL if name in _FORGETTING else EXACT
        case ast.Call(func=ast.Attribute(attr=name)):
            return NEARLY if name in _FORGETTING_METHODS else EXACT
        case ast.SetComp():
            return PARTIAL
        case ast.ListComp(elt=made) | ast.DictComp(value=made):
            return NEARLY if last_name(made) == "round" or _strength(made) < EXACT else EXACT
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
            ends = (end for end in (lower, upper) if end is not None)
            return NEARLY if any(map(is_literal, ends)) else EXACT
        case _:
            return EXACT


def _is_coarse(digits: ast.expr) -> bool:
    """Whether a number is rounded to whole ones, or further."""
    return isinstance(digits, ast.UnaryOp) or (isinstance(digits, ast.Constant) and digits.value in (0, None))
