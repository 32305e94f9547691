"""An example that goes where a property is asked for from now on of which it is one case."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from gateline.analysis.trees import put_in, text_of
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_ANY = frozenset({"integers", "text", "floats", "decimals", "fractions", "binary", "booleans"})
"""What draws any value of its kind, when nothing is asked of it."""
_BOUNDS = ("min_value", "max_value", "min_size", "max_size")
_WORKED_OUT: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
}


def is_property(test: Test) -> bool:
    """Whether a test is asked of any values."""
    return bool(_strategies(test))


def is_one_case(check: Check, old: Test, new: Test) -> bool:
    """Whether a property, asked of any values, says exactly this when it is given these."""
    strategies = _strategies(new)
    drawn = frozenset(strategies)
    if not drawn or not check.exact or check.expected is None:
        return False
    subject = put_in(check.subject, _set_up(old))
    return any(
        other.exact
        and other.relation == check.relation
        and other.expected is not None
        and (found := _matched(other.subject, subject, drawn, {})) is not None
        and found.keys() == drawn
        and all(_is_drawn(strategies[name], value) for name, value in found.items())
        and _says(put_in(other.expected, found), check.expected)
        for other in new.checks
    )


def _strategies(test: Test) -> Mapping[str, ast.Call]:
    """By argument of a property test: what draws any value, or any within bounds; none where one does not."""
    decorators = test.given_marks
    plain = all(isinstance(node, ast.Expr | ast.Assign | ast.Assert) for node in test.node.body)
    assumed = any(isinstance(n, ast.Call) and last_name(n) == "assume" for n in ast.walk(test.node))
    match decorators:
        case [ast.Call() as given] if last_name(given) == "given" and plain and not assumed:
            strategies = [*given.args, *(keyword.value for keyword in given.keywords)]
            names = [a.arg for a in (*test.node.args.args, *test.node.args.kwonlyargs) if a.arg != "self"]
            found = {name: one for name, one in zip(names, strategies, strict=False) if _is_any(one)}
            return found if len(strategies) == len(names) == len(found) else {}
        case _:
            return {}


def _is_any(strategy: ast.expr) -> TypeGuard[ast.Call]:
    """Whether any value of a kind is drawn, within bounds at most."""
    if not isinstance(strategy, ast.Call) or last_name(strategy) not in _ANY:
        return False
    values = [*strategy.args, *(keyword.value for keyword in strategy.keywords)]
    named = all(keyword.arg in _BOUNDS for keyword in strategy.keywords)
    return (
        named and len(strategy.args) <= 2 and all(isinstance(_value(value), int | float) for value in values)
    )


def _is_drawn(strategy: ast.Call, given: ast.expr) -> bool:
    """Whether a value lies within the bounds of what is drawn."""
    value = _value(given)
    size = len(value) if isinstance(value, str | bytes) else value
    bounds = {name: _value(bound) for name, bound in zip(_BOUNDS, strategy.args, strict=False)}
    bounds |= {keyword.arg or "": _value(keyword.value) for keyword in strategy.keywords}
    numbers = {name: bound for name, bound in bounds.items() if isinstance(bound, int | float)}
    return size is not None and all(
        number <= size if name.startswith("min") else size <= number for name, number in numbers.items()
    )


def _set_up(test: Test) -> dict[str, ast.expr]:
    """What the attributes stand for that its class sets for each test, each set once."""
    found: dict[str, list[ast.expr]] = {}
    for node in (inner for part in test.around for inner in ast.walk(part)):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                found.setdefault(name, []).append(value)
    return {key: v[0] for n, v in found.items() if len(v) == 1 for key in (n, f"self.{n}")}


def _matched(
    form: ast.AST, case: ast.AST, drawn: frozenset[str], found: dict[str, ast.expr]
) -> dict[str, ast.expr] | None:
    """The values for which a form is the case; None when it is for none."""
    if isinstance(form, ast.Name) and form.id in drawn:
        if not isinstance(case, ast.expr) or _value(case) is None:
            return None
        known = found.setdefault(form.id, case)
        return found if text_of(known) == text_of(case) else None
    if type(form) is not type(case) or not _is_alike(form, case):
        return None
    parts, others = list(ast.iter_child_nodes(form)), list(ast.iter_child_nodes(case))
    same = len(parts) == len(others) and all(
        _matched(part, other, drawn, found) is not None for part, other in zip(parts, others, strict=True)
    )
    return found if same else None


def _is_alike(one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes of a kind have the same names and values of their own."""
    plain = ("id", "attr", "arg", "value")
    mine, others = (
        [v for name in plain if not isinstance(v := getattr(node, name, None), ast.AST)]
        for node in (one, other)
    )
    return mine == others


def _says(worked_out: ast.AST, expected: ast.AST) -> bool:
    """Whether what a property expects is the value of the example, sums worked out."""
    if isinstance(expected, ast.expr) and (value := _value(expected)) is not None:
        return isinstance(worked_out, ast.expr) and _value(worked_out) == value
    if type(worked_out) is not type(expected) or not _is_alike(worked_out, expected):
        return False
    parts, others = list(ast.iter_child_nodes(worked_out)), list(ast.iter_child_nodes(expected))
    return len(parts) == len(others) and all(
        _says(part, other) for part, other in zip(parts, others, strict=True)
    )


def _value(node: ast.expr) -> float | str | bytes | None:
    """The number or text that an expression without names makes; None of any other."""
    match node:
        case ast.Constant(value=int() | float() | str() | bytes() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            number = _value(inner)
            return -number if isinstance(number, int | float) else None
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _WORKED_OUT:
            one, other = _value(left), _value(right)
            numbers = isinstance(one, int | float) and isinstance(other, int | float)
            return float(_WORKED_OUT[type(op)](one, other)) if numbers else None
        case _:
            return None
