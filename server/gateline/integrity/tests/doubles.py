"""What tests put in the place of something else: patches, and stand-ins that are assigned."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.analysis.modules import Function, Module
from gateline.model.names import dotted, last_name


@dataclass(frozen=True, slots=True)
class Patch:
    """That a name, written with dots, is replaced at a node."""

    target: str
    node: ast.AST


def patches(node: Function | ast.stmt | ast.expr, module: Module) -> Iterator[Patch]:
    """What is replaced somewhere in a node."""
    for found in ast.walk(node):
        match found:
            case ast.Call():
                yield from _patched_by(found, module)
            case ast.Assign(targets=[ast.Attribute(value=value, attr=attr)], value=made) if is_stand_in(made):
                holder = resolved(dotted(value), module)
                if holder and holder != "self":
                    yield Patch(f"{holder}.{attr}", found)


def is_stand_in(value: ast.expr) -> bool:
    """Whether a value answers in the place of something else: a mock, or a function made on the spot."""
    return isinstance(value, ast.Lambda) or last_name(value).endswith(("Mock", "create_autospec"))


def _patched_by(call: ast.Call, module: Module) -> Iterator[Patch]:
    path = dotted(call.func).split(".")
    watches = any(k.arg == "wraps" for k in call.keywords)
    if watches or not call.args:
        return
    if path[-1] == "object" and "patch" in path and len(call.args) > 1:
        yield from _of_object(call, module)
    elif path[-1] == "setattr" and path[0] in ("monkeypatch", "mp", "m", "patch"):
        if isinstance(call.args[0], ast.Constant) and len(call.args) == 2:
            yield from _of_text(call, module)
        elif len(call.args) > 2:
            yield from _of_object(call, module)
    elif path[-1] == "patch":
        yield from _of_text(call, module)
    elif path[-1] in ("setitem", "dict") and len(call.args) > 1:
        yield from _of_names(call, module)


def _of_names(call: ast.Call, module: Module) -> Iterator[Patch]:
    """Names in the table of a module: `setitem(globals(), "total", …)`, `patch.dict(vars(shop), {…})`."""
    match call.args[:2]:
        case [table, ast.Constant(value=str() as name)]:
            given = [name]
        case [table, ast.Dict(keys=keys)]:
            given = [
                key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
        case _:
            return
    match table:
        case ast.Call(func=ast.Name(id="globals"), args=[]):
            yield from (Patch(module.imports[name], call) for name in given if name in module.imports)
        case ast.Call(func=ast.Name(id="vars"), args=[holder]) | ast.Attribute(attr="__dict__", value=holder):
            yield from (Patch(f"{resolved(dotted(holder), module)}.{name}", call) for name in given)


def _of_text(call: ast.Call, module: Module) -> Iterator[Patch]:
    target = call.args[0]
    own = module.source.path.removesuffix(".py").replace("/", ".")
    match target:
        case ast.Constant(value=str() as text):
            whole = text
        case ast.BinOp(left=ast.Name(id="__name__"), op=ast.Add(), right=ast.Constant(value=str() as text)):
            whole = own + text
        case ast.JoinedStr(
            values=[ast.FormattedValue(value=ast.Name(id="__name__")), ast.Constant() as rest]
        ):
            whole = f"{own}{rest.value!s}"
        case _:
            return
    holder, _, name = whole.rpartition(".")
    # The file of tests itself: what it imported is replaced there.
    is_own = bool(holder) and (own == holder or own.endswith(f".{holder}"))
    yield Patch(module.imports.get(name, whole) if is_own else whole, call)


def _of_object(call: ast.Call, module: Module) -> Iterator[Patch]:
    holder, name = call.args[:2]
    match holder:
        case ast.Call(func=ast.Name(id="type"), args=[made]) | ast.Attribute(value=made, attr="__class__"):
            holder = made
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and dotted(holder):
        yield Patch(f"{resolved(dotted(holder), module)}.{name.value}", call)


def resolved(name: str, module: Module) -> str:
    """A dotted name with what its first part was imported as."""
    head, dot, rest = name.partition(".")
    return f"{module.imports.get(head, head)}{dot}{rest}"
