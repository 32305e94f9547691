"""Checks that are made by a call: unittest's methods, a mock's, and those of other libraries."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeGuard

from gateline.analysis.trees import names, text_of
from gateline.integrity.tests.assertions import checks_in
from gateline.integrity.tests.check import EXACT, PARTIAL, WEAK, Check, check, raised_by
from gateline.model.names import last_name

_COMPARISONS: Mapping[str, ast.cmpop] = {
    "assertEqual": ast.Eq(),
    "assertEquals": ast.Eq(),
    "assertListEqual": ast.Eq(),
    "assertTupleEqual": ast.Eq(),
    "assertSetEqual": ast.Eq(),
    "assertDictEqual": ast.Eq(),
    "assertSequenceEqual": ast.Eq(),
    "assertMultiLineEqual": ast.Eq(),
    "assertJSONEqual": ast.Eq(),
    "assertHTMLEqual": ast.Eq(),
    "assertNotEqual": ast.NotEq(),
    "assertIs": ast.Is(),
    "assertIsNot": ast.IsNot(),
    "assertIn": ast.In(),
    "assertNotIn": ast.NotIn(),
    "assertGreater": ast.Gt(),
    "assertGreaterEqual": ast.GtE(),
    "assertLess": ast.Lt(),
    "assertLessEqual": ast.LtE(),
}
_RECORDED = {
    "assert_called": WEAK,
    "assert_awaited": WEAK,
    "assert_called_once": PARTIAL,
    "assert_awaited_once": PARTIAL,
    "assert_any_call": PARTIAL,
    "assert_any_await": PARTIAL,
    "assert_called_with": EXACT,
    "assert_awaited_with": EXACT,
    "assert_called_once_with": EXACT,
    "assert_awaited_once_with": EXACT,
    "assert_has_calls": EXACT,
    "assert_has_awaits": EXACT,
    "assert_not_called": EXACT,
    "assert_not_awaited": EXACT,
}
_FAILING = frozenset({"fail"})
_NAMED = re.compile(r"_?(assert|check|verify|expect|ensure)[A-Z_].*|_?(expect|verify|assert_that)")
RAISING = frozenset(
    {
        "raises",
        "assertRaises",
        "assertRaisesRegex",
        "assertRaisesMessage",
        "warns",
        "assertWarns",
        "assertWarnsRegex",
        "deprecated_call",
        "assertLogs",
        "assertNoLogs",
        "RaisesGroup",
    }
)
_ANY_ERROR = frozenset({"Exception", "BaseException", "Warning"})
_MATCHES_ALL = frozenset({"''", "'.*'", "'.+'", "'.'", "'(?s).*'"})


def checks_of_call(node: ast.Call, place: ast.AST) -> Iterator[Check]:
    """The checks that a call makes; none when it is not one that checks."""
    name = last_name(node)
    if name in _COMPARISONS and len(node.args) >= 2:
        left, right = node.args[:2]
        yield from checks_in(ast.Compare(left, [_COMPARISONS[name]], [right]), place)
    elif name in _RULES and node.args:
        yield from checks_in(_RULES[name](node), place)
    elif name in _RECORDED and isinstance(node.func, ast.Attribute):
        yield _recorded(node.func.value, name, node, place)
    elif name in _FAILING and isinstance(node.func, ast.Attribute):
        yield check(node.func, "fails", None, PARTIAL, place)
    elif name == "match" and isinstance(node.func, ast.Attribute) and raised_by(node.func.value) is not None:
        yield check(node.func.value, "raises", node, PARTIAL, place)
    elif name in RAISING and len(node.args) >= 2:
        yield raised(node, node.args[1], place)
    elif _NAMED.fullmatch(name):
        first = node.args[0] if node.args else node.func
        yield check(first, name, node, EXACT, place)


def is_asserting(node: ast.AST) -> TypeGuard[ast.Assert | ast.Call]:
    """Whether something is asserted there: by a statement, or by a method that is called so."""
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.Call) and last_name(node).startswith("assert")
    )


def _recorded(mock: ast.expr, name: str, call: ast.Call, place: ast.AST) -> Check:
    given = [*call.args, *(k.value for k in call.keywords)]
    anything = [argument for argument in given if last_name(argument) == "ANY"]
    strength = _RECORDED[name]
    if anything:
        strength = WEAK if len(anything) == len(given) else PARTIAL
    expected = ast.Tuple(given, ast.Load())
    relation = "called" if strength and name.endswith(("with", "call", "calls")) else name
    # What a mock is called in a test is no part of what is said of it.
    return replace(check(mock, relation, expected, strength, place), names=names(expected))


def raised(call: ast.Call, body: ast.expr, place: ast.AST) -> Check:
    """That `body` raises (warns, logs) what `call` names."""
    kind = call.args[0] if call.args else ast.Constant(None)
    match = next((k.value for k in call.keywords if k.arg in ("match", "regex", "expected_regex")), None)
    if last_name(call).endswith(("Regex", "Message")) and len(call.args) > 1:
        match = call.args[1]
    strength = PARTIAL
    if match is not None and text_of(match) not in _MATCHES_ALL:
        strength = EXACT
    elif is_any_error(kind) or (isinstance(kind, ast.Tuple) and len(kind.elts) > 1):
        strength = WEAK
    expected = ast.Tuple([kind] if match is None else [kind, match], ast.Load())
    return check(body, "raises", expected, strength, place)


def is_any_error(kind: ast.expr) -> bool:
    """Whether a class of errors, or one of several, takes in almost every error."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(last_name(one) in _ANY_ERROR for one in kinds)


def _almost(node: ast.Call) -> ast.expr:
    """`assertAlmostEqual(a, b, places=7, delta=None)` as a comparison with `approx`."""
    given = {k.arg: k.value for k in node.keywords}
    places = given.get("places", node.args[2] if len(node.args) > 2 else ast.Constant(7))
    away = given.get("delta")
    if away is None and (number := _whole(places)) is not None:
        away = ast.Constant(0.5 * 10**-number)
    near = [] if away is None else [ast.keyword("abs", away)]
    approx = ast.Call(ast.Name("approx", ast.Load()), [node.args[1]], near)
    return ast.Compare(node.args[0], [ast.Eq()], [approx])


def _whole(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
        case _:
            return None


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _same_items(node: ast.Call) -> ast.expr:
    first, *rest = node.args
    return ast.Compare(_call("sorted", first), [ast.Eq()], rest[:1] or [first])


_RULES: Mapping[str, Callable[[ast.Call], ast.expr]] = {
    "assertTrue": lambda node: node.args[0],
    "assertFalse": lambda node: ast.UnaryOp(ast.Not(), node.args[0]),
    "assertIsNone": lambda node: ast.Compare(node.args[0], [ast.Is()], [ast.Constant(None)]),
    "assertIsNotNone": lambda node: ast.Compare(node.args[0], [ast.IsNot()], [ast.Constant(None)]),
    "assertIsInstance": lambda node: _call("isinstance", *node.args[:2]),
    "assertRegex": lambda node: _call("search", *node.args[:2]),
    "assertAlmostEqual": lambda node: _almost(node) if len(node.args) > 1 else node.args[0],
    "assertCountEqual": _same_items,
}
