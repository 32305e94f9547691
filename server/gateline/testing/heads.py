"""What of a function's head matters to those who call it, and to nobody who only imports the module.

Parameters, constant defaults, annotations and the docstring are made at import and used by callers. They
belong to the function where nothing looks at the function itself at import: no decorator, no metaclass, no
call that is given it. What may fail at import, or do something there, stays with the module.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import typing
from collections.abc import Iterable, Iterator

from gateline.model.names import last_name

Function = ast.FunctionDef | ast.AsyncFunctionDef
Classes = tuple[ast.ClassDef, ...]

_GENERIC = frozenset({"dict", "frozenset", "list", "set", "tuple", "type"})
_GENERIC |= frozenset(typing.__all__) | frozenset(collections.abc.__all__)
"""What may be subscripted in an annotation without failing."""
_LOOKS_AT_NO_HEAD = frozenset(
    {"abstractmethod", "classmethod", "deleter", "getter", "property", "setter", "staticmethod"}
)
"""Decorators of functions that keep them as they are."""
_LOOKS_AT_NO_METHOD = frozenset({"dataclass", "final", "total_ordering"})
"""Decorators of classes, likewise."""
_DOCTEST = ">>>"


class Heads:
    """Takes the heads of functions out of a module's tree, of whose functions only docstrings are left."""

    def __init__(self, tree: ast.Module) -> None:
        self._looked_at = frozenset(_looked_at(tree))
        self._bound: dict[str, int] = {}
        for line, name in _bindings(tree):
            self._bound[name] = min(line, self._bound.get(name, line))
        self._is_lazy = any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "annotations" for alias in node.names)
            for node in tree.body
        )

    def take(self, node: Function, classes: Classes) -> str:
        """The head as a text, which is left out of the tree; empty where something looks at the function.

        `classes` are those around it.
        """
        if self._is_looked_at(node, classes):
            return ""
        is_tried = any(_DOCTEST in ast.dump(one) for one in node.body)
        docstring = [] if is_tried else node.body
        said = "".join(ast.dump(part) for part in (node.args, node.returns, *docstring) if part is not None)
        node.args, returns = self._left(node.args), node.returns
        node.returns = None if returns is None or self._is_safe(returns) else returns
        if not is_tried:  # else it is one of the tests that are collected
            node.body = []
        return said

    def _is_looked_at(self, node: Function, classes: Classes) -> bool:
        return (
            node.name in self._looked_at
            or node.name.startswith("pytest_")
            or any(last_name(one) not in _LOOKS_AT_NO_HEAD for one in node.decorator_list)
            or any(one.keywords for one in classes)
            or any(last_name(one) not in _LOOKS_AT_NO_METHOD for c in classes for one in c.decorator_list)
        )

    def _left(self, args: ast.arguments) -> ast.arguments:
        """Annotations that may fail, and defaults that are computed."""
        every = (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg)
        annotations = [one.annotation for one in every if one is not None and one.annotation is not None]
        unsafe = [ast.arg("", each) for each in annotations if not self._is_safe(each)]
        defaults = (*args.defaults, *filter(None, args.kw_defaults))
        computed = [each for each in defaults if not _is_constant(each)]
        return ast.arguments([], unsafe, None, [], [], None, computed)

    def _is_safe(self, node: ast.expr) -> bool:
        """Whether an annotation cannot fail where it stands: its names are bound before."""
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                is_bound = name in self._bound and self._bound[name] < node.lineno
                return self._is_lazy or is_bound or hasattr(builtins, name)
            case ast.Attribute(value=value, attr=name):
                return self._is_lazy or (name in _GENERIC and self._is_safe(value))
            case ast.Subscript(value=value, slice=inner):
                is_generic = self._is_lazy or last_name(value) in _GENERIC
                return is_generic and self._is_safe(value) and self._is_safe(inner)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return all(self._is_safe(part) for part in parts)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                sides = (left, right)
                return all(self._is_safe(side) and not _is_text(side) for side in sides)
        return self._is_lazy


def _looked_at(node: ast.AST) -> Iterator[str]:
    """Names that are loaded at import, as attributes too, but for what is only called or annotates."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Call(func=ast.Name()):
            yield from _among((*node.args, *node.keywords))
            return
        case ast.Call(func=ast.Attribute(value=value)):
            yield from _among((value, *node.args, *node.keywords))
            return
        case ast.arg() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.AnnAssign():
            annotations = {node.annotation} if isinstance(node, ast.arg | ast.AnnAssign) else {node.returns}
            yield from _among(child for child in ast.iter_child_nodes(node) if child not in annotations)
            return
    yield from _among(ast.iter_child_nodes(node))


def _among(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        yield from _looked_at(node)


def _bindings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Names that a module binds, each with the line after which it is bound."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.end_lineno or node.lineno, name
                continue
            case ast.If(test=test, orelse=others) if last_name(test) == "TYPE_CHECKING":
                yield from _bindings(ast.Module(others, []))
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from ((node.lineno, (one.asname or one.name).partition(".")[0]) for one in names)
        yield from _bindings(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.Tuple(elts=parts):
            return all(map(_is_constant, parts))
    return False
