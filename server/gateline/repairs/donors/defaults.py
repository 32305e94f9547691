"""What stands in for None: what the text uses elsewhere, or the empty value of what is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, parameters, walk_scope
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.none_tests import asked, last, none_defaults
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.analysis.types import Kinds, kind
from gateline.repairs.donors.initial_values import EMPTY, initial_values
from gateline.repairs.donors.own_values import own_values
from gateline.repairs.locate.demands import demands, supplies
from gateline.repairs.locate.none_dereference import LAZY, Absent
from gateline.repairs.priors import prior

_TYPES = ("list", "str", "dict", "set", "tuple", "int")
_CONVERTED = {"dict": "{}", "update": "{}", "list": "[]", "extend": "[]", "tuple": "()", "set": "()"}
_CONVERTED |= {"sorted": "[]", "enumerate": "[]", "sum": "[]", "join": "[]", "map": "[]"}
_CONVERTED |= dict.fromkeys(LAZY, "[]")
_CONVERTED |= {"int": "0", "float": "0", "abs": "0", "round": "0", "str": '""', "len": "[]", "Decimal": "0"}


def defaults(kinds: Kinds, absent: Absent) -> list[tuple[str, float]]:
    """Values that may be used instead of None, with their cost; the likeliest first."""
    costs: dict[str, float] = {}
    found = (
        *_precedents(absent),
        *_needed(kinds, absent),
        *_bounds(absent),
        *_paired(absent),
        *_named(absent),
    )
    more = (*_of_class(absent), *own_values(absent.code, absent.node), *_by_other_uses(kinds, absent))
    for text, cost in (*found, *more):
        if "\n" not in text and not _begins_with_none(text):
            costs[text] = min(cost, costs.get(text, cost))
    for rank, text in enumerate(("0", '""', "[]", "{}", "1", "False")):
        costs.setdefault(
            text, prior("donors.default-constant") + prior("donors.default-constant-rank") * rank
        )
    return sorted(costs.items(), key=lambda row: row[1])


def _needed(kinds: Kinds, absent: Absent) -> Iterator[tuple[str, float]]:
    """The empty value of the type that the place needs."""
    code, node = absent.code, absent.node
    parent = code.parent(node)
    known = [kind(absent.wanted.partition(" | ")[0]), *(kinds.of(other) for other in _partners(parent, node))]
    yield from ((EMPTY[name], prior("donors.default-empty-of-type")) for name in known if name in EMPTY)
    yield from (("1", prior("donors.default-one")) for name in known if name == "int")
    wanted = demands(code, node)
    able = [name for name in _TYPES if wanted and supplies(kinds.knowledge, name, wanted)]
    first, each = prior("donors.default-empty-by-use"), prior("donors.default-empty-by-use-rank")
    yield from ((EMPTY[name], first + each * rank) for rank, name in enumerate(able))
    yield from _around(parent, node)


def _by_other_uses(kinds: Kinds, absent: Absent) -> Iterator[tuple[str, float]]:
    """`set()`, for what the function adds to later."""
    function = absent.code.function(absent.node)
    if function is not None and isinstance(absent.node, ast.Name):
        for text, cost in initial_values(kinds, function, absent.node.id):
            if text != "None":
                yield text, cost + prior("donors.default-by-later-use")


def _bounds(absent: Absent) -> Iterator[tuple[str, float]]:
    """Where a range begins or ends: the length of what the function takes elements of."""
    code, node = absent.code, absent.node
    call, function = code.parent(node), code.function(node)
    if not isinstance(call, ast.Call) or dotted(call.func) != "range" or function is None:
        return
    if len(call.args) > 1 and call.args[0] is node:
        yield "0", prior("donors.default-range-start")
    elif node in call.args[:2]:
        indexed = [dotted(n.value) for n in walk_scope(function) if isinstance(n, ast.Subscript)]
        first, each = prior("donors.default-range-end"), prior("donors.default-range-end-rank")
        yield from (
            (f"len({name})", first + each * n) for n, name in enumerate(dict.fromkeys(indexed)) if name
        )


def _partners(parent: ast.AST | None, node: ast.expr) -> list[ast.expr]:
    if isinstance(parent, ast.BinOp):
        return [parent.right if parent.left is node else parent.left]
    if isinstance(parent, ast.AugAssign):
        return [parent.value if parent.target is node else parent.target]
    if isinstance(parent, ast.Compare):
        return [o for o in (parent.left, *parent.comparators) if o is not node]
    return []


def _precedents(absent: Absent) -> Iterator[tuple[str, float]]:
    """`if when is None: when = now()`, `when or now()` elsewhere, for a thing of the same name."""
    code, name = absent.code, _called(absent.node)
    if not name:
        return
    for found in none_defaults(code.nodes):
        if last(found.name) == name and not found.is_turned and _is_here(code, absent, found.value):
            yield code.segment(found.value), prior("donors.default-of-other-guard")
    for node in code.nodes:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and last(node.values[0]) == name:
            yield code.segment(node.values[-1]), prior("donors.default-of-other-or")
        elif isinstance(node, ast.IfExp) and any(
            a.if_none and last(a.node) == name for a in asked(node.test)
        ):
            yield code.segment(node.body), prior("donors.default-of-other-condition")


def _called(node: ast.expr) -> str:
    """What a value is called: also one that is looked up by a text, `options.get("scope")`."""
    key = next(iter(node.args), None) if isinstance(node, ast.Call) else getattr(node, "slice", None)
    return str(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else last(node)


def _is_here(code: Code, absent: Absent, value: ast.expr) -> bool:
    """The value can be computed here, too."""
    names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
    return names <= set(visible(code, absent.node))


_PAIRS = frozenset(
    frozenset(pair.split())
    for pair in (
        *("min max", "minimum maximum", "start stop", "start end", "begin end", "first last", "low high"),
        *("lo hi", "lower upper", "left right", "width height", "source target", "old new", "rows columns"),
    )
)


def _paired(absent: Absent) -> Iterator[tuple[str, float]]:
    """The other of two parameters that go together: `if max is None: max = min`."""
    function = absent.code.function(absent.node)
    while function is not None and isinstance(absent.node, ast.Name):
        own = [a.arg for a in parameters(function)]
        if absent.node.id in own:
            cost = prior("donors.default-paired-parameter")
            yield from ((other, cost) for other in own if _goes_with(absent.node.id, other))
            return
        function = absent.code.function(function)


def _goes_with(one: str, other: str) -> bool:
    mine, others = words(one), words(other)
    return frozenset({*mine} ^ {*others}) in _PAIRS


def _begins_with_none(text: str) -> bool:
    """A condition without parentheses, or None itself: neither stands in for None."""
    node = ast.parse(text, mode="eval").body
    return isinstance(node, ast.IfExp | ast.Lambda) or (isinstance(node, ast.Constant) and node.value is None)


def _named(absent: Absent) -> Iterator[tuple[str, float]]:
    """A function, or a constant of the module, with a name like that of the value."""
    code, statement = absent.code, absent.code.statement(absent.node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = [n for n in (last(absent.node), *(last(t) for t in targets)) if n]
    for name in visible(code, absent.node).values():
        likes = [c for n in names if (c := likeness(n, name.text)) is not None and n != name.text]
        if not likes:
            continue
        if name.kind in {Kind.FUNCTION, Kind.CLASS} and _takes_nothing(name.node):
            above = prior("donors.default-maker-per-likeness") * (
                min(likes) - prior("donors.default-maker-likeness-free")
            )
            yield f"{name.text}()", max(0, above) + prior("donors.default-maker")
        elif name.kind is Kind.IMPORT and name.text[:1].isupper() and _is_close(min(likes)):
            yield f"{name.text}()", prior("donors.default-imported-class")
        elif name.kind is Kind.MODULE:
            yield (
                name.text,
                prior("donors.default-constant-of-module")
                + prior("donors.default-constant-of-module-per-likeness") * min(likes),
            )


def _is_close(like: float) -> bool:
    """Whether an imported class may be the maker of a value, by the likeness of their names."""
    return like < prior("donors.default-imported-class-limit")


def _of_class(absent: Absent) -> Iterator[tuple[str, float]]:
    """A constant of the class that is called a default, the likelier by its name."""
    code, node = absent.code, absent.node
    cls, function = code.class_of(node), code.function(node)
    if cls is None or function is None or not function.args.args:
        return
    me = function.args.args[0].arg
    constants = [n.id for s in cls.body for n in ast.walk(s) if _is_stored_default(n)]
    mine = set(words(last(node)))
    for name in dict.fromkeys(constants):
        about = {*words(name)} - {"default"}
        cost = prior("donors.default-of-class-named") if about & mine else prior("donors.default-of-class")
        yield f"{me}.{name}", cost


def _is_stored_default(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and "default" in node.id.lower()


def _takes_nothing(node: ast.AST | None) -> bool:
    if isinstance(node, ast.FunctionDef):
        return len(node.args.args) == len(node.args.defaults)
    return isinstance(node, ast.ClassDef)


def _around(parent: ast.AST | None, node: ast.expr) -> Iterator[tuple[str, float]]:
    if isinstance(parent, ast.Call) and node in parent.args:
        name = parent.func.attr if isinstance(parent.func, ast.Attribute) else dotted(parent.func)
        if name in _CONVERTED:
            yield _CONVERTED[name], prior("donors.default-converted")
    if isinstance(parent, ast.keyword) and parent.arg is None:
        yield "{}", prior("donors.default-unpacked")
    if isinstance(parent, ast.Starred):
        yield "[]", prior("donors.default-unpacked")
    is_searched = isinstance(parent, ast.Compare) and isinstance(parent.ops[0], ast.In | ast.NotIn)
    if isinstance(parent, ast.comprehension | ast.For) or is_searched:
        yield "[]", prior("donors.default-iterated-list")
        yield "{}", prior("donors.default-iterated-dict")
