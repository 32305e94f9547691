"""From an asserted expression to the checks it makes: how `assert x == 3` differs from `assert x`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gateline.analysis.trees import is_literal, is_truth, text_of
from gateline.integrity.tests.check import EXACT, PARTIAL, VACUOUS, WEAK, Check, check
from gateline.integrity.tests.parameters import rows_of
from gateline.integrity.tests.partial_comparisons import bounds, whole
from gateline.integrity.tests.tolerance import number, tolerance
from gateline.integrity.tests.value_equality import is_made_twice
from gateline.model.names import dotted, last_name

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_COARSE = 1e-3
"""A larger tolerance, as a share of what is expected, is more than the rounding of floats."""
_WEAK_QUESTIONS = frozenset({"isinstance", "issubclass", "hasattr", "callable"})
_MOCKS = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "create_autospec", "PropertyMock"})
_RECORDED = frozenset({"called", "call_count", "call_args", "call_args_list", "mock_calls", "method_calls"})
_RECORDED_ALSO = frozenset({"await_count", "await_args", "await_args_list", "awaited"})


def checks_in(node: ast.expr, place: ast.AST) -> Iterator[Check]:
    """The checks that asserting `node` makes, in order."""
    match node:
        case ast.BoolOp(op=ast.And()):
            for part in node.values:
                yield from checks_in(part, place)
        case ast.BoolOp(op=ast.Or()):
            yield _alternatives(node, place)
        case ast.UnaryOp(op=ast.Not()):
            yield from _denied(node.operand, place)
        case ast.Compare():
            yield from _compared(node, place)
        case ast.NamedExpr():
            yield from checks_in(node.value, place)
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            yield from checks_in(inner, place)
        case _:
            yield _asked(node, place)


def _alternatives(node: ast.BoolOp, place: ast.AST) -> Check:
    texts = {text_of(part) for part in node.values}
    denied = {text_of(p.operand) for p in node.values if isinstance(p, ast.UnaryOp)}
    denied |= {text_of(_opposite(p)) for p in node.values if isinstance(p, ast.Compare) and len(p.ops) == 1}
    always = any(is_truth(part, of=True) for part in node.values) or bool(texts & denied)
    first = next(checks_in(node.values[0], place))
    about_one = len({other.core for part in node.values for other in checks_in(part, place)}) == 1
    strength = VACUOUS if always else min(PARTIAL if about_one else WEAK, first.strength)
    return check(first.subject, "or", node, strength, place)


def _denied(node: ast.expr, place: ast.AST) -> Iterator[Check]:
    match node:
        case ast.Compare(ops=[_]):
            yield from _compared(_opposite(node), place)
        case ast.UnaryOp(op=ast.Not()):
            yield from checks_in(node.operand, place)
        case ast.BoolOp(op=ast.Or()):
            for part in node.values:
                yield from _denied(part, place)
        case _:
            strength = VACUOUS if is_truth(node, of=False) or is_mocked(node) else PARTIAL
            yield check(_without_length(node), "false", None, strength, place)


def _opposite(node: ast.Compare) -> ast.Compare:
    return ast.Compare(node.left, [_OPPOSITE[type(node.ops[0])]()], node.comparators)


def _without_length(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return inner
        case _:
            return node


def _asked(node: ast.expr, place: ast.AST) -> Check:
    """A question that is answered by a truth value."""
    if (close := _closeness(node)) is not None:
        return next(_compared(close, place))
    strength = PARTIAL
    if is_truth(node, of=True) or is_mocked(node) or _asks_nothing(node):
        strength = VACUOUS
    elif is_truth(node, of=False):
        return check(node, "fails", None, PARTIAL, place)
    elif last_name(node) in _WEAK_QUESTIONS and isinstance(node, ast.Call):
        strength = VACUOUS if _about_any_object(node) else WEAK
        return check(node, "true", None, strength, place)
    elif isinstance(node, ast.Call) and last_name(node) in ("all", "any"):
        strength = _of_all(node, place)
    return check(node, "true", None, strength, place)


def _asks_nothing(node: ast.expr) -> bool:
    """`x.startswith("")`, `re.search(".*", x)`: every text does."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[ast.Constant(value="")]):
            return True
        case ast.Call(args=[ast.Constant(value="" | ".*" | "(?s).*"), *_]):
            return last_name(node) in ("match", "search", "findall")
        case _:
            return False


def _closeness(node: ast.expr) -> ast.Compare | None:
    """`isclose(a, b, abs_tol=c)` as a comparison with `approx`."""
    if not isinstance(node, ast.Call) or last_name(node) not in ("isclose", "allclose") or len(node.args) < 2:
        return None
    short = {"rel_tol": "rel", "rtol": "rel", "abs_tol": "abs", "atol": "abs"}
    given = [ast.keyword(short[k.arg], k.value) for k in node.keywords if k.arg in short]
    approx = ast.Call(ast.Name("approx", ast.Load()), [node.args[1]], given)
    return ast.Compare(node.args[0], [ast.Eq()], [approx])


def _about_any_object(node: ast.Call) -> bool:
    return len(node.args) == 2 and dotted(node.args[1]) == "object"


def _of_all(node: ast.Call, place: ast.AST) -> int:
    match node.args:
        case [ast.GeneratorExp(elt=inner) | ast.ListComp(elt=inner) as made]:
            if last_name(node) == "all" and rows_of(made) == []:
                return VACUOUS
            return min(found.strength for found in checks_in(inner, place))
        case [ast.List(elts=[]) | ast.Tuple(elts=[])]:
            return VACUOUS
        case _:
            return PARTIAL


def _compared(node: ast.Compare, place: ast.AST) -> Iterator[Check]:
    if len(node.ops) > 1:
        if all(isinstance(op, ast.Eq) for op in node.ops):
            for other in node.comparators:
                yield from _compared(ast.Compare(node.left, [ast.Eq()], [other]), place)
        else:
            yield check(node.comparators[0], "between", bounds(node), PARTIAL, place)
        return
    left, op, right = node.left, type(node.ops[0]), node.comparators[0]
    if op is ast.Eq and (parts := _paired_items(left, right)):
        for one, other in parts:
            yield from _compared(ast.Compare(one, [ast.Eq()], [other]), place)
        return
    if op not in (ast.In, ast.NotIn) and _is_expectation(left) and not _is_expectation(right):
        left, op, right = right, _MIRRORED.get(op, op), left
    yield _related(left, op, right, place)


def _paired_items(left: ast.expr, right: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The items of two tuples that are written out: `(a, b) == (1, 2)` says two things."""
    if not (isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple)):
        return []
    starred = any(isinstance(item, ast.Starred) for item in (*left.elts, *right.elts))
    if starred or len(left.elts) != len(right.elts):
        return []
    return list(zip(left.elts, right.elts, strict=True))


def _is_expectation(node: ast.expr) -> bool:
    return is_literal(node) or last_name(node) == "approx" or not any(_calls(node))


def _calls(node: ast.expr) -> Iterator[ast.Call]:
    return (found for found in ast.walk(node) if isinstance(found, ast.Call))


def _related(left: ast.expr, op: type[ast.cmpop], right: ast.expr, place: ast.AST) -> Check:
    if text_of(left) == text_of(right) or (is_mocked(left) and op not in (ast.In, ast.NotIn)):
        twice = text_of(left) == text_of(right) and is_made_twice(left, op, place)
        strength = WEAK if twice else VACUOUS
        return check(left, _SIGNS[op], right, strength, place)
    if op in (ast.Eq, ast.Is):
        made = _equal(left, op, right, place)
        is_part = isinstance(left, ast.Call) and not left.args and last_name(left) in ("keys", "values")
        return replace(made, strength=min(made.strength, PARTIAL)) if is_part else made
    if op in (ast.In, ast.NotIn):
        subject, expected = (left, right) if is_literal(right) else (right, left)
        known = is_literal(left) and is_literal(right)
        strength = VACUOUS if known or _is_in_all(left, op, right) else PARTIAL
        return check(subject, _SIGNS[op], expected, strength, place)
    if _is_length(left) and _is_always(op, right):
        return check(left, _SIGNS[op], right, VACUOUS, place)
    return check(left, _SIGNS[op], right, WEAK, place)


def _is_in_all(left: ast.expr, op: type[ast.cmpop], right: ast.expr) -> bool:
    """Whether something is in everything, as "" is, or stands in the container itself."""
    if op is ast.NotIn:
        return False
    own = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else []
    return text_of(left) in ("''", "b''") or text_of(left) in map(text_of, own)


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node) == "len"


def _is_always(op: type[ast.cmpop], right: ast.expr) -> bool:
    """Whether every length is so: at least 0, above -1."""
    text = text_of(right)
    return (op is ast.GtE and text == "0") or (op in (ast.Gt, ast.NotEq) and text == "-1")


def _equal(left: ast.expr, op: type[ast.cmpop], right: ast.expr, place: ast.AST) -> Check:
    if last_name(right) == "ANY":
        return check(left, "==", right, VACUOUS, place)
    if isinstance(right, ast.Constant) and isinstance(right.value, bool):
        found = list(checks_in(left, place) if right.value else _denied(left, place))
        return found[0] if len(found) == 1 else check(left, "==", right, EXACT, place)
    if _is_empty(right) or (_is_length(left) and text_of(right) == "0"):
        return check(_without_length(left), "false", None, PARTIAL, place)
    if last_name(right) == "approx" and isinstance(right, ast.Call) and right.args:
        if _is_coarse(right):
            return check(left, "==", right, PARTIAL, place)
        left, right, strength = whole(left, right.args[0])
        same = text_of(left) == text_of(right)
        return check(left, "==", right, VACUOUS if same else strength, place)
    left, right, strength = whole(left, right)
    return check(left, "is" if _is_none(right) else "==", right, strength, place)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Constant(value=value):
            return isinstance(value, str | bytes) and not value
        case ast.Call(func=ast.Name(id="set" | "dict" | "list" | "tuple"), args=[], keywords=[]):
            return True
        case _:
            return False


def _is_coarse(approx: ast.Call) -> bool:
    given = tolerance(approx)
    share = number(given.get("rel")) or 0.0
    size = abs(number(approx.args[0]) or 0.0)
    away = number(given.get("abs")) or 0.0
    return share > _COARSE or (away > _COARSE * size if size else away > _COARSE)


def is_mocked(node: ast.expr) -> bool:
    """Whether an expression is what a mock was told to answer; what it recorded is another matter."""
    seen = node
    while True:
        match seen:
            case ast.Call(func=ast.Name() | ast.Attribute() as func) if last_name(func) in _MOCKS:
                return seen is not node
            case ast.Attribute(value=value, attr=attr):
                if attr in _RECORDED | _RECORDED_ALSO:
                    return False
                seen = value
            case ast.Call(func=value) | ast.Subscript(value=value) | ast.Await(value=value):
                seen = value
            case _:
                return False
