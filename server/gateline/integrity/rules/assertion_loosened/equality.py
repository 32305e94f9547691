"""GTL604 of the product: things of a class that tests compare are equal more often than they were."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Function, without_docstring
from gateline.analysis.trees import is_truth, names
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.assertion_loosened import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_FORGETTING = frozenset(
    {"round", "isclose", "allclose", "lower", "casefold", "upper", "strip", "int", "trunc"}
)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def find(evidence: Evidence) -> Iterator[Finding]:
    """The classes whose equality is widened, unless a page tells of them."""
    for base, now in on_both_sides(evidence.both.product):
        for name in sorted(base.classes.keys() & now.classes.keys()):
            found = _widened(base.classes[name], now.classes[name])
            if found and _is_compared(name, evidence) and not evidence.product.is_told([name]):
                node, how = found
                message = f"objects of `{name}`, which tests compare, now compare equal {how}"
                yield at_node(CODE, now, node, message, Weight.COUNTS)


def _is_compared(name: str, evidence: Evidence) -> bool:
    tests = evidence.both.tests_kept
    return any(name in test.module.imports or name in names(test.node) for test in tests)


def _widened(old: ast.ClassDef, new: ast.ClassDef) -> tuple[ast.AST, str] | None:
    """Where equality is widened, and how."""
    before, after = _equality(old), _equality(new)
    if after is not None:
        if _forgets(after) and not (before is not None and _forgets(before)):
            return after, "when they are only similar"
        lost = _compared(before) - _compared(after) - _gone(old, new) if before is not None else None
        return (after, f"regardless of `{min(lost)}`") if lost else None
    fields = _left_out(old)
    for name, node in _left_out(new).items():
        if name not in fields and name in _fields(old):
            return node, f"regardless of `{name}`"
    return None


def _equality(owner: ast.ClassDef) -> Function | None:
    return next((n for n in owner.body if isinstance(n, Function) and n.name == "__eq__"), None)


def _forgets(function: Function) -> bool:
    """Whether values that differ a little, or at all, will do."""
    body = without_docstring(function)
    agreed = any(
        isinstance(n, ast.Return) and n.value is not None and is_truth(n.value, of=True)
        for statement in body
        for n in ast.walk(statement)
    )
    asks_itself = any(_is_identity(n) for statement in body for n in ast.walk(statement))
    return (agreed and not asks_itself) or any(map(_is_lenient, ast.walk(function)))


def _is_identity(node: ast.AST) -> bool:
    """`if self is other: return True` and the like."""
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.Eq | ast.NotEq)


def _is_lenient(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if isinstance(sign, _ORDERS):
            return "abs" in (last_name(left), last_name(right))
        case ast.Call():
            return last_name(node) in _FORGETTING
        case _:
            return False


def _compared(function: Function | None) -> frozenset[str]:
    """The attributes that equality looks at, of either side; not of what it makes of them on the way."""
    nodes = list(ast.walk(function)) if function is not None else []
    own = {n.arg for n in nodes if isinstance(n, ast.arg)}
    named = [n for n in nodes if isinstance(n, ast.Attribute)]
    return frozenset(n.attr for n in named if isinstance(n.value, ast.Name) and n.value.id in own)


def _gone(old: ast.ClassDef, new: ast.ClassDef) -> frozenset[str]:
    return names(old) - names(new)


def _fields(owner: ast.ClassDef) -> dict[str, ast.AnnAssign]:
    found = (node for node in owner.body if isinstance(node, ast.AnnAssign))
    return {node.target.id: node for node in found if isinstance(node.target, ast.Name)}


def _left_out(owner: ast.ClassDef) -> dict[str, ast.AnnAssign]:
    """The fields that a class of data does not compare."""
    return {name: node for name, node in _fields(owner).items() if _is_left_out(node)}


def _is_left_out(node: ast.AnnAssign) -> bool:
    given = node.value.keywords if isinstance(node.value, ast.Call) else []
    return any(k.arg in ("compare", "eq") and is_truth(k.value, of=False) for k in given)
