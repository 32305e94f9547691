"""The names that can be used at a place, and what they are bound to there."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from gateline.repairs.analysis.code import COMPREHENSIONS, Code, Function, Scope, parameters, walk_scope


class Kind(StrEnum):
    """Where a name comes from."""

    PARAMETER = "parameter"
    LOCAL = "local"
    OUTER = "outer"
    """A local of a function around it."""
    MODULE = "module"
    """Assigned in the module."""
    FUNCTION = "function"
    CLASS = "class"
    IMPORT = "import"
    BUILTIN = "builtin"


@dataclass(frozen=True, slots=True)
class Name:
    """A name that can be used, with the node that binds it; built-in ones have none."""

    text: str
    kind: Kind
    node: ast.AST | None = None


BUILTINS = tuple(name for name in dir(builtins) if not name.startswith("_"))
"""In one order: what is proposed first must not hang on the hash seed of a process."""


def visible(code: Code, node: ast.AST) -> dict[str, Name]:
    """Every name that can be used at `node`, the nearest binding of each."""
    found: dict[str, Name] = {}
    for name in _comprehended(code, node):
        found.setdefault(name.text, name)
    inner = True
    scope = code.scope(node)
    while True:
        if inner or not isinstance(scope, ast.ClassDef):
            for name in bound(scope):
                found.setdefault(name.text, name if inner else _from_outside(name))
        if isinstance(scope, ast.Module):
            break
        scope, inner = code.scope(scope), False
    for text in BUILTINS:
        found.setdefault(text, Name(text, Kind.BUILTIN))
    return found


def _from_outside(name: Name) -> Name:
    local = name.kind in {Kind.LOCAL, Kind.PARAMETER}
    return Name(name.text, Kind.OUTER, name.node) if local else name


def _comprehended(code: Code, node: ast.AST) -> Iterator[Name]:
    """The loop names of comprehensions around a node."""
    for outer in code.ancestors(node):
        if isinstance(outer, COMPREHENSIONS):
            for generator in outer.generators:
                for target in targets(generator.target):
                    yield Name(target.id, Kind.LOCAL, target)


@lru_cache(maxsize=256)
def bound(scope: Scope) -> tuple[Name, ...]:
    """What a scope itself binds, in the order of the text; parameters first. Remembered: all ask for it."""
    return tuple(_bindings(scope))


def _bindings(scope: Scope) -> Iterator[Name]:
    if isinstance(scope, Function | ast.Lambda):
        yield from (Name(a.arg, Kind.PARAMETER, a) for a in parameters(scope))
    kind = Kind.MODULE if isinstance(scope, ast.Module) else Kind.LOCAL
    inside: set[ast.AST] = set()
    for node in walk_scope(scope):
        if isinstance(node, COMPREHENSIONS):
            inside.update(t for g in node.generators for t in targets(g.target))
        if node not in inside:
            yield from _binding(node, kind)


def _binding(node: ast.AST, kind: Kind) -> Iterator[Name]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield Name(node.id, kind, node)
    elif isinstance(node, Function):
        yield Name(node.name, Kind.FUNCTION, node)
    elif isinstance(node, ast.ClassDef):
        yield Name(node.name, Kind.CLASS, node)
    elif isinstance(node, ast.alias):
        yield Name((node.asname or node.name).partition(".")[0], Kind.IMPORT, node)
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield Name(node.name, kind, node)
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from (Name(text, Kind.OUTER, node) for text in node.names)


def targets(node: ast.expr) -> Iterator[ast.Name]:
    """The names that an assignment to `node` binds."""
    if isinstance(node, ast.Name):
        yield node
    elif isinstance(node, ast.Tuple | ast.List):
        for element in node.elts:
            yield from targets(element)
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)


def loads(nodes: Iterable[ast.AST], name: str) -> list[ast.Name]:
    """The places at which a name is read."""
    return [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]


def stores(nodes: Iterable[ast.AST], name: str) -> list[ast.Name]:
    """The places at which a name is bound by an assignment, a loop or a `with`."""
    return [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]


def built_up(scope: Scope) -> Iterator[str]:
    """The names whose value a scope changes: `rows.append(…)`, `total += …`, `seen[key] = …`."""
    for node in walk_scope(scope):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
        ):
            yield node.value.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            func = node.value.func
            if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
                yield func.value.id


def attributes_of_self(cls: ast.ClassDef) -> tuple[str, ...]:
    """What instances of a class have by its own text: methods, class attributes, what is set on `self`."""
    found = dict.fromkeys(n.text for n in _bindings(cls))
    for method in cls.body:
        if isinstance(method, Function) and method.args.args:
            found.update(dict.fromkeys(attributes_set(method, method.args.args[0].arg)))
    return tuple(found)


def attributes_set(node: ast.AST, owner: str) -> Iterator[str]:
    """The attributes that code sets on what a name holds."""
    for inner in ast.walk(node):
        if not isinstance(inner, ast.Attribute) or not isinstance(inner.ctx, ast.Store):
            continue
        if isinstance(inner.value, ast.Name) and inner.value.id == owner:
            yield inner.attr


def parameters_of(function: Function) -> list[str]:
    """The names of the parameters by position, without the object itself."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names
