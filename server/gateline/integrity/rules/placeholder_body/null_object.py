"""Classes and methods that do nothing on purpose: null objects, and steps that heirs write."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from gateline.analysis.modules import Function, Module
from gateline.model.names import last_name

_NULL = re.compile(r"_?(No[A-Z]|Null|Noop|NoOp|Dummy|Void|Silent|Nothing)")
"""Names of classes whose objects stand for nothing."""
_NOTHING = re.compile(r"\b(nothing|no-?op|null|dummy|discards|disables)\b", re.IGNORECASE)


def on_purpose(module: Module, is_idle: Callable[[Function], bool]) -> set[int]:
    """The ids of classes and of methods that need not do anything; `is_idle` tells which methods do not."""
    classes = [node for _, node in module.source.scopes if isinstance(node, ast.ClassDef)]
    found = {id(node) for node in classes if _stands_for_nothing(node, is_idle)}
    for node in classes:
        heirs = [heir for heir in classes if node.name in map(last_name, heir.bases)]
        written = {method.name for heir in heirs for method in _methods(heir) if not is_idle(method)}
        found |= {id(method) for method in _methods(node) if method.name in written}
    return found


def _stands_for_nothing(owner: ast.ClassDef, is_idle: Callable[[Function], bool]) -> bool:
    """Whether every method does nothing, or answers nothing in a class that is said to be for that."""
    methods = [node for node in _methods(owner) if node.name != "__init__"]
    if not methods:
        return False
    if all(map(is_idle, methods)):
        return True
    said = _NULL.match(owner.name) or _NOTHING.search(ast.get_docstring(owner) or "")
    return bool(said) and all(is_idle(node) or _answers_nothing(node) for node in methods)


def _methods(owner: ast.ClassDef) -> Iterator[Function]:
    return (node for node in owner.body if isinstance(node, Function))


def _answers_nothing(node: Function) -> bool:
    match node.body[-1]:
        case ast.Return(value=None | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[])):
            return len(node.body) <= 2
        case ast.Return(value=ast.Constant(value=value)):
            return not value and len(node.body) <= 2
        case _:
            return False
