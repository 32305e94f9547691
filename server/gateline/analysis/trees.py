"""The text of an expression in one form, whatever names its parts were given on the way."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from gateline.model.names import last_name

Node = TypeVar("Node", bound=ast.AST)
Known = Mapping[str, ast.expr]
"""What is known of names: the expressions they stand for."""

_LONGEST = 400
"""Characters of an expression that is still put in the place of its name."""
NUMBER = re.compile(r"-?\d+(\.\d+)?")
"""A literal number, as text."""
_OWN = re.compile(r"\b(?:self|cls)\.")
_WHOLE = re.compile(
    r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<![\w.])(\d+)\.0(?![\w.])""",
)
"""A string, which stays as it is, or a whole number with a fraction of nothing."""


def put_in(node: Node, known: Known) -> Node:
    """A copy of `node` in which known names are replaced by what they stand for."""
    if (
        known
        and isinstance(node, ast.Name | ast.Attribute)
        and (found := known.get(written(node))) is not None
    ):
        return found  # type: ignore[return-value]
    changed = {name: _put_in_field(value, known) for name, value in ast.iter_fields(node)}
    copy = type(node)(**changed)
    if isinstance(copy, ast.Subscript) and (item := _picked(copy)) is not None:
        return item  # type: ignore[return-value]
    return ast.copy_location(copy, node) if hasattr(node, "lineno") else copy


def _picked(node: ast.Subscript) -> ast.expr | None:
    """The item, or the part, that is picked out of a list or tuple that is written out; None of any other."""
    match node:
        case ast.Subscript(value=ast.List(elts=items) | ast.Tuple(elts=items) as whole, ctx=ast.Load()):
            if any(isinstance(item, ast.Starred) for item in items):
                return None
        case _:
            return None
    try:
        match node.slice:
            case ast.Slice(lower=low, upper=high, step=None):
                return type(whole)(items[slice(_whole(low), _whole(high))], ast.Load())
            case place:
                return None if (number := _whole(place)) is None else items[number]
    except (IndexError, ValueError):
        return None


def _whole(node: ast.expr | None) -> int | None:
    """The number of a place; None where none is told. Raises ValueError where it is not known."""
    found = ast.literal_eval(node) if node is not None else None
    if found is not None and not isinstance(found, int):
        raise ValueError(found)
    return found


def written(node: ast.AST) -> str:
    """The name by which something is known: `x`, or `self.x`; "" for what has none."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
        case _:
            return ""


def _put_in_field(value: object, known: Known) -> object:
    if isinstance(value, ast.AST):
        return put_in(value, known)
    if isinstance(value, list):
        return [put_in(item, known) if isinstance(item, ast.AST) else item for item in value]
    return value


def text_of(node: ast.AST) -> str:
    """The text of an expression: without `self.`, whole numbers always written as such."""
    # On the text, not on the tree: this is asked for everything that is checked anywhere.
    text = _OWN.sub("", unparsed(node))
    return _WHOLE.sub(_without_fraction, text) if ".0" in text else text


def _without_fraction(found: re.Match[str]) -> str:
    return found[1] or found[2]


def unparsed(node: ast.AST) -> str:
    """The code of a tree; of one that no code can be written for, its structure."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        # A known value with a backslash may have got into an f-string.
        return ast.dump(node)


def is_short(node: ast.expr) -> bool:
    """Whether an expression may stand in the place of its name without making texts endless."""
    return sum(1 for _ in ast.walk(node)) <= _LONGEST // 4


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, without `Load` and the like."""
    # As `ast.iter_child_nodes`, in a third of its time: every keystroke walks a whole file, and every
    # verdict many times.
    found: list[ast.AST] = []
    kind = node.__class__
    names = _BRANCHES.get(kind)
    if names is None:
        names = _BRANCHES[kind] = _branches(kind)
    for name in names:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it in the order of `ast.walk`, without `Load` and the like."""
    found = [node]
    for inner in found:
        found += children(inner)
    return found


_LEAVES = frozenset({"ctx", "id", "attr", "arg", "kind", "lineno", "type_comment", "conversion", "level"})
"""Fields that hold no nodes but `Load` and the like, in whatever class."""
_BRANCHES: dict[type[ast.AST], tuple[str, ...]] = {}
"""By class: the fields that may hold nodes."""


def _branches(kind: type[ast.AST]) -> tuple[str, ...]:
    return () if issubclass(kind, ast.Constant) else tuple(n for n in kind._fields if n not in _LEAVES)


def descend(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, in no particular order."""
    waiting = [node]
    while waiting:
        yield (found := waiting.pop())
        waiting += children(found)


def constants(node: ast.AST) -> frozenset[str]:
    """The literal values in a tree, each as text; docstrings and the truth values are left out."""
    return frozenset(literal(found) for found in _literals(node))


def in_any_case(values: frozenset[str]) -> frozenset[str]:
    """Literal values, and the texts among them in small letters: input is often read so."""
    return values | {value.lower() for value in values if value[:1] in "'\""}


def _literals(node: ast.AST) -> Iterator[ast.Constant]:
    for found in descend(node):
        if isinstance(found, ast.Constant) and not isinstance(found.value, bool | type(None) | type(...)):
            yield found


def literal(node: ast.Constant) -> str:
    """The text of a literal value; equal numbers have equal texts, and so do bytes and their text."""
    value = node.value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return repr(int(value))
    return repr(value.decode("latin-1") if isinstance(value, bytes) else value)


def is_literal(node: ast.AST) -> bool:
    """Whether an expression says its value itself: constants, containers of them, calls on them."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp():
            return is_literal(node.operand)
        case ast.BinOp():
            return is_literal(node.left) and is_literal(node.right)
        case ast.Tuple() | ast.List() | ast.Set():
            return all(is_literal(item) for item in node.elts)
        case ast.Dict():
            return all(key is not None and is_literal(key) for key in node.keys) and all(
                map(is_literal, node.values)
            )
        case _:
            return False


def is_value(node: ast.AST) -> bool:
    """Whether it is a literal, or made of literals by a class: `Decimal("1.5")`, `(date(2024, 1, 1), 3)`."""
    match node:
        case ast.Call(args=args, keywords=keywords):
            made = last_name(node)
            is_class = made[:1].isupper() or made in ("date", "datetime", "time", "timedelta")
            return (
                is_class
                and bool(args or keywords)
                and all(map(is_value, [*args, *(k.value for k in keywords)]))
            )
        case ast.Tuple() | ast.List() | ast.Set():
            return all(map(is_value, node.elts))
        case _:
            return is_literal(node)


def names(node: ast.AST) -> frozenset[str]:
    """The names, attributes and keywords in a tree."""
    return frozenset(_names(node))


def _names(node: ast.AST) -> Iterator[str]:
    for found in descend(node):
        match found:
            case ast.Name() if found.id not in ("self", "cls"):
                yield found.id
            case ast.Attribute():
                yield found.attr
            case ast.keyword() if found.arg:
                yield found.arg


def _is_past(version: ast.expr) -> bool:
    """Whether no Python that is in use is older."""
    try:
        return tuple(ast.literal_eval(version)) < (3, 8)
    except (ValueError, TypeError):
        return False


def is_truth(node: ast.AST, *, of: bool) -> bool:
    """Whether an expression is a constant whose truth value is `of`."""
    match node:
        case ast.Constant():
            return bool(node.value) is of
        case ast.UnaryOp(op=ast.Not()):
            return is_truth(node.operand, of=not of)
        case ast.Tuple() | ast.List() | ast.Set():
            return bool(node.elts) is of
        case ast.Dict():
            return bool(node.keys) is of
        case ast.Lambda() | ast.GeneratorExp():
            return of
        case ast.Compare(
            left=ast.Attribute(attr="version_info"), ops=[ast.Lt() | ast.LtE()], comparators=[least]
        ):
            return not of and is_literal(least) and _is_past(least)
        case ast.JoinedStr():
            return of and any(isinstance(part, ast.Constant) and part.value for part in node.values)
        case _:
            return False


_ORDERS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


def always_holds(node: ast.AST | None) -> bool:
    """Whether a condition compares one constant with another as it is written, and holds: `1 == 1`."""
    match node:
        case ast.Compare(left=ast.Constant() as one, ops=[how], comparators=[ast.Constant() as other]):
            try:
                return _ORDERS[type(how)](one.value, other.value)
            except TypeError:
                return False
        case _:
            return False
