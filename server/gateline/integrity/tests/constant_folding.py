"""Works out what Python makes of values that are written out: `"".join(["a", "b"])`, `a if 0 else b`.

However a test writes down what it expects, the same value comes out. Sums of numbers stay as they are, but
for those with a length: how a number comes about may be what the change tells.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Callable, Mapping
from copy import deepcopy
from inspect import cleandoc
from typing import Any

from gateline.analysis.trees import Node, is_literal, put_in
from gateline.integrity.tests.parameters import rows_of
from gateline.model.names import dotted

_LONGEST = 20_000
"""Characters of a value that is worked out."""
_OF_TEXT = frozenset(
    {"upper", "lower", "title", "capitalize", "casefold", "strip", "lstrip", "rstrip", "replace", "join"}
    | {"format", "splitlines", "removeprefix", "removesuffix", "encode", "decode"}
    | {"startswith", "endswith"}
)
"""Methods of texts and bytes whose answers are as short as what they are given."""
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "dedent": textwrap.dedent,
    "textwrap.dedent": textwrap.dedent,
    "inspect.cleandoc": cleandoc,
    "json.dumps": json.dumps,
    "json.loads": json.loads,
    "str": str,
    "dict": dict,
    "list": list,
    "tuple": tuple,
    "repr": repr,
}


_ERRORS = (ValueError, TypeError, LookupError, SyntaxError, RecursionError, MemoryError, AttributeError)
"""What Python raises of values that do not fit."""
_COMPARING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def folded(node: Node) -> Node:
    """The expression with everything worked out in it that can be; the very tree may be changed."""
    made: Node = _Folding().visit(node)
    return made


class _Folding(ast.NodeTransformer):
    """From the inside to the outside."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        truth = _truth(node.test)
        return node if truth is None else node.body if truth else node.orelse

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        parts = [_formatted(part) for part in node.values]
        if any(part is None for part in parts):
            return node
        return ast.Constant("".join(part for part in parts if part is not None))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        counts = any(isinstance(n, ast.Call) and dotted(n.func) == "len" for n in (node.left, node.right))
        self.generic_visit(node)
        match node.left, node.op, node.right:
            case ast.Constant(), ast.Add(), ast.Constant() if counts:
                return _worked_out(node)
            case ast.Constant(value=str() | bytes()), ast.Add() | ast.Mod(), _:
                return _worked_out(node)
            case ast.Constant(value=str() | bytes() as text), ast.Mult(), ast.Constant(value=int() as times):
                return ast.Constant(text * times) if len(text) * times <= _LONGEST else node
            case ast.List(elts=some), ast.Add(), ast.List(elts=more):
                return ast.List([*some, *more], ast.Load())
            case ast.Tuple(elts=some), ast.Add(), ast.Tuple(elts=more):
                return ast.Tuple([*some, *more], ast.Load())
            case _:
                return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._made_of_rows(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._made_of_rows(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        pairs = ast.ListComp(ast.Tuple([node.key, node.value], ast.Load()), node.generators)
        match self._made_of_rows(pairs):
            case ast.List(elts=items) if all(isinstance(item, ast.Tuple) for item in items):
                sides = [item.elts for item in items if isinstance(item, ast.Tuple)]
                return ast.Dict([key for key, _ in sides], [value for _, value in sides])
            case _:
                return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str() | bytes()), attr=name) if name in _OF_TEXT:
                return _worked_out(node) if all(map(is_literal, given)) else node
            case ast.Name(id="len") if len(given) == 1:
                return ast.Constant(length) if (length := _length(given[0])) else node
            case ast.Name(id="Decimal" | "Fraction" | "float" | "int") if (
                number := _number(node)
            ) is not None:
                return number
            case ast.Name() | ast.Attribute(value=ast.Name()) if dotted(node.func) in _FUNCTIONS:
                return _worked_out(node) if given and all(map(is_literal, given)) else node
            case _:
                return node

    def _made_of_rows(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """What a loop over rows that are written out makes, where that is a value itself."""
        self.generic_visit(node)
        match node.generators:
            case [ast.comprehension(target=target, iter=iterated, ifs=[])]:
                rows = rows_of(iterated)
            case _:
                return node
        if not rows:
            return node
        items = [folded(deepcopy(put_in(node.elt, _named(target, row)))) for row in rows]
        return ast.List(items, ast.Load()) if all(map(is_literal, items)) else node


def _number(call: ast.Call) -> ast.expr | None:
    """The number that is made of a text or a number that is written out, of whatever type it is."""
    match call:
        case ast.Call(args=[ast.Constant(value=str() | int() | float() as value)], keywords=[]):
            text = str(value)
            if re.fullmatch(r"-?\d{1,12}(\.\d{1,6})?", text):
                return ast.parse(repr(float(text)), mode="eval").body
    return None


def _length(node: ast.expr) -> int:
    """How many items are written out; 0 for none: an empty list is there to be filled by what is tested."""
    if isinstance(node, ast.Dict):
        return len(node.keys) if all(isinstance(key, ast.Constant) for key in node.keys) else 0
    return len(node.elts) if isinstance(node, ast.List | ast.Tuple) and is_literal(node) else 0


def _named(target: ast.expr, row: ast.expr) -> dict[str, ast.expr]:
    match target, row:
        case ast.Name(id=name), _:
            return {name: row}
        case ast.Tuple(elts=names), ast.Tuple(elts=items) | ast.List(elts=items) if len(names) == len(items):
            return {k: v for n, i in zip(names, items, strict=True) for k, v in _named(n, i).items()}
        case _:
            return {}


def _truth(test: ast.expr) -> bool | None:
    """Whether a condition holds that is about values that are written out; None where it is not known."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            truth = _truth(inner)
            return None if truth is None else not truth
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as how], comparators=[right]):
            if not (is_literal(left) and _is_none(right)):
                return None
            return _is_none(left) is isinstance(how, ast.Is)
        case ast.Compare(left=left, ops=[how], comparators=[right]) if isinstance(how, _COMPARING):
            return _holds(test) if is_literal(left) and is_literal(right) else None
        case _:
            return _holds(test) if is_literal(test) else None


def _holds(test: ast.expr) -> bool | None:
    try:
        return bool(_value(test))
    except _ERRORS:
        return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _formatted(part: ast.expr) -> str | None:
    match part:
        case ast.Constant(value=str() as text):
            return text
        case ast.FormattedValue(value=inner, conversion=-1 | 114 | 115, format_spec=how) if is_literal(inner):
            try:
                value = repr(_value(inner)) if part.conversion == ord("r") else _value(inner)
                return format(value, "" if how is None else _spelt(how))
            except _ERRORS:
                return None
        case _:
            return None


def _spelt(how: ast.expr) -> str:
    """How a value is to be formatted. Raises ValueError where that is worked out itself."""
    match how:
        case ast.Constant(value=str() as text) | ast.JoinedStr(values=[ast.Constant(value=str() as text)]):
            return text
        case _:
            raise ValueError(how)


def _worked_out(node: ast.expr) -> ast.expr:
    """The value of a call or an operation on values that are written out; the node where there is none."""
    try:
        value = _value(node)
        if isinstance(value, str | bytes) and len(value) > _LONGEST:
            return node
        return ast.parse(repr(value), mode="eval").body
    except _ERRORS:
        return node


def _value(node: ast.expr) -> Any:
    """The value of an expression. Raises what Python raises."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=text), attr=name)):
            return getattr(text, name)(*map(_value, node.args), **_keywords(node))
        case ast.Call():
            return _FUNCTIONS[dotted(node.func)](*map(_value, node.args), **_keywords(node))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _value(left) + _value(right)
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return _value(left) % _value(right)
        case ast.Compare(left=left, ops=[how], comparators=[right]):
            return _compared(_value(left), how, _value(right))
        case _:
            return ast.literal_eval(node)


def _compared(left: Any, how: ast.cmpop, right: Any) -> bool:
    match how:
        case ast.Eq() | ast.NotEq():
            return bool((left == right) is isinstance(how, ast.Eq))
        case _:
            return bool((left in right) is isinstance(how, ast.In))


def _keywords(node: ast.Call) -> dict[str, Any]:
    return {keyword.arg: _value(keyword.value) for keyword in node.keywords if keyword.arg}
