"""What an object has itself that stands in for None: an attribute of that name, a method that makes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.repairs.reading.absent import Absent
from gateline.repairs.reading.code import Code, Function, is_none, walk_scope
from gateline.repairs.reading.kinds import dotted
from gateline.repairs.reading.likeness import words
from gateline.repairs.reading.none_tests import last
from gateline.repairs.reading.scopes import Kind, visible

_MAKING = {"get", "make", "default", "init", "create", "build", "load", "new", "compute", "find", "fetch"}
"""Words in names of methods that say nothing about what they make."""


def own_values(absent: Absent) -> Iterator[tuple[str, float]]:
    """Texts of such values, with their cost: for a parameter, or for an attribute of the object."""
    code, node = absent.code, absent.node
    cls, function = code.class_of(node), code.function(node)
    if cls is None or function is None or not function.args.args or not isinstance(cls, ast.ClassDef):
        return
    me = function.args.args[0].arg
    held = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
    if held is not None and held.kind is Kind.PARAMETER:
        yield from _attributes(cls, me, held.text)
    if held is None or held.kind is Kind.PARAMETER:
        yield from _made(cls, function, me, last(node))


def _attributes(cls: ast.ClassDef, me: str, name: str) -> Iterator[tuple[str, float]]:
    """`self.states` for a parameter `states`, or its keys."""
    attributes = [n for n in ast.walk(cls) if isinstance(n, ast.Attribute) and dotted(n.value) == me]
    stored = {n.attr for n in attributes if isinstance(n.ctx, ast.Store)}
    for found in (name, f"_{name}", f"__{name}"):
        if found in stored:
            yield f"{me}.{found}", 0.25
            yield f"list({me}.{found})", 0.5


def _made(cls: ast.ClassDef, asking: ast.AST, me: str, name: str) -> Iterator[tuple[str, float]]:
    """`self.build_rows()` for `self._rows`; likelier by its name, or where nothing else calls it."""
    calls = [n.func for n in ast.walk(cls) if isinstance(n, ast.Call)]
    called = {f.attr for f in calls if isinstance(f, ast.Attribute)}
    wanted = set(words(name))
    for method in (n for n in cls.body if isinstance(n, Function) and n is not asking and _gives(n)):
        alike = wanted & ({*words(method.name)} - _MAKING)
        is_unused = method.name.startswith("_") and method.name not in called
        if not method.name.endswith("__") and (alike or is_unused):
            yield f"{me}.{method.name}()", (0.35 if alike else 0.6) - (0.15 if is_unused else 0)


def _gives(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """It takes nothing but the object, and returns something."""
    arguments = method.args
    count = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    is_plain = isinstance(method, ast.FunctionDef) and not method.decorator_list
    required = any(default is None for default in arguments.kw_defaults)
    returns = any(isinstance(n, ast.Return) and n.value is not None for n in walk_scope(method))
    return is_plain and count == 1 and not required and returns


def is_never_set(code: Code, node: ast.Attribute) -> bool:
    """Whether the class of an attribute of its own gives it nothing but None: it is to be made later."""
    cls, function, wanted = code.class_of(node), code.function(node), dotted(node)
    if (
        cls is None
        or function is None
        or not function.args.args
        or dotted(node.value) != function.args.args[0].arg
    ):
        return False
    stored = [n for n in ast.walk(cls) if isinstance(n, ast.Assign) and wanted in map(dotted, n.targets)]
    return bool(stored) and all(is_none(n.value) for n in stored)
