"""Conditions that ask a test itself for an attribute that nothing gives it."""

from __future__ import annotations

import ast

from gateline.analysis.modules import Module
from gateline.analysis.trees import written
from gateline.model.names import dotted, last_name

_OWN = frozenset({"self", "cls"})
_OF_UNITTEST = frozenset({"TestCase", "IsolatedAsyncioTestCase", "object"})


def asks_for_nothing(condition: ast.expr | None, module: Module) -> bool:
    """Whether the test itself is asked for an attribute that nothing in its file, or above it, gives it."""
    asked = {name for node in ast.walk(condition or ast.Pass()) if (name := _asked(node))}
    if not asked or _inherits_from_elsewhere(module):
        return False
    nodes = (node for node, _ in module.owned)
    given = {n.attr if isinstance(n, ast.Attribute) else written(n) for n in nodes}
    return asked.isdisjoint(given | {name.rpartition(".")[2] for name in module.all_functions})


def _inherits_from_elsewhere(module: Module) -> bool:
    bases = (base for node in module.classes.values() for base in node.bases)
    return any(last_name(base) not in _OF_UNITTEST | module.classes.keys() for base in bases)


def _asked(node: ast.AST) -> str:
    """The attribute that is asked for: `hasattr(self, "x")`, `"x" in self.__dict__`."""
    match node:
        case ast.Call(
            func=ast.Name(id="hasattr" | "getattr"), args=[owner, ast.Constant(value=str() as name), *_]
        ):
            return name if _is_itself(owner) else ""
        case ast.Compare(
            left=ast.Constant(value=str() as name), ops=[ast.In() | ast.NotIn()], comparators=[table]
        ):
            return name if _is_table(table) else ""
        case _:
            return ""


def _is_itself(node: ast.expr) -> bool:
    """`self`, `cls`, `type(self)`, `self.__class__`."""
    if isinstance(node, ast.Call) and last_name(node) == "type" and len(node.args) == 1:
        return _is_itself(node.args[0])
    return dotted(node).removesuffix(".__class__") in _OWN


def _is_table(node: ast.expr) -> bool:
    """What holds the attributes: `self.__dict__`, `vars(self)`, `dir(type(self))`."""
    if isinstance(node, ast.Call) and last_name(node) in ("vars", "dir") and len(node.args) == 1:
        return _is_itself(node.args[0])
    return isinstance(node, ast.Attribute) and node.attr == "__dict__" and _is_itself(node.value)
