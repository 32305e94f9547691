"""What a module offers, read from its text or its stub: names, classes with members, signatures."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from gateline.repairs.analysis.code import Function
from gateline.repairs.analysis.made_classes import made_class
from gateline.repairs.analysis.scopes import attributes_set, targets

COROUTINE = "Coroutine"
"""The type of what an asynchronous function returns before it is awaited."""
_ITERATED = ("AsyncIterator", "AsyncIterable", "AsyncGenerator")
"""What the annotation of an asynchronous generator says, which is not awaited."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of something that can be called."""

    name: str
    is_optional: bool
    kind: str = ""
    """`*` and `**` for what takes the rest, `k` for one by keyword alone, `p` for one by position alone."""


@dataclass(frozen=True, slots=True)
class Callee:
    """Something that can be called, as its text declares it."""

    parameters: tuple[Parameter, ...]
    returns: str = ""
    """The annotation."""
    decorators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Type:
    """A class as its text declares it."""

    name: str
    bases: tuple[str, ...] = ()
    members: Mapping[str, tuple[Callee, ...]] = field(default_factory=dict)
    """Methods with their signatures; what is no method has none."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a module offers."""

    names: frozenset[str] = frozenset()
    types: Mapping[str, Type] = field(default_factory=dict)
    functions: Mapping[str, tuple[Callee, ...]] = field(default_factory=dict)
    imported: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Names from elsewhere: the module, with its leading dots, and the name there ("" for a module)."""
    handed_on: frozenset[str] = frozenset()
    """Names that are imported as themselves (`import x as x`), or named in `__all__`."""
    stars: tuple[str, ...] = ()
    """Modules of which everything is imported."""


@lru_cache(maxsize=256)
def outline_of(text: str, version: tuple[int, int] = (3, 14)) -> Outline:
    """The outline of a text; an empty one when it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Outline()
    names: dict[str, None] = {}
    types: dict[str, Type] = {}
    functions: dict[str, tuple[Callee, ...]] = {}
    imported: dict[str, tuple[str, str]] = {}
    stars: list[str] = []
    handed_on: set[str] = set()
    for node in statements(tree.body, version):
        names.update(dict.fromkeys(_declared(node)))
        if isinstance(node, Function):
            functions[node.name] = (*functions.get(node.name, ()), callee_of(node))
        elif isinstance(node, ast.ClassDef):
            types[node.name] = _type(node, version)
        elif (made := made_class(node)) is not None:
            types[made[0]] = Type(made[0], made[1], dict.fromkeys(made[2], ()))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported.update(_imported(node))
            stars.extend(_starred(node))
            handed_on.update(a.name for a in node.names if a.name == a.asname)
        handed_on.update(_in_all(node))
    return Outline(frozenset(names), types, functions, imported, frozenset(handed_on), tuple(stars))


def statements(body: list[ast.stmt], version: tuple[int, int]) -> Iterator[ast.stmt]:
    """The statements that run when a body does; of a choice by version or platform those that apply."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            chosen = _chosen(node.test, version)
            if chosen is not False:
                yield from statements(node.body, version)
            if chosen is not True:
                yield from statements(node.orelse, version)
        elif isinstance(node, ast.Try):
            for part in (node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody):
                yield from statements(part, version)
        elif isinstance(node, ast.With):
            yield from statements(node.body, version)


_VERSION = re.compile(r"sys\.version_info (>=|<) \((\d+), (\d+)\)")


def _chosen(test: ast.expr, version: tuple[int, int]) -> bool | None:
    match = _VERSION.fullmatch(ast.unparse(test))
    if match is None:
        return None
    is_later = version >= (int(match[2]), int(match[3]))
    return is_later if match[1] == ">=" else not is_later


def _declared(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (name.id for target in node.targets for name in targets(target))
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        yield from (name.id for name in targets(node.target))


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, tuple[str, str]]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            whole = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or whole, (whole, "")
    else:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name, (module, alias.name)


def _in_all(node: ast.stmt) -> Iterator[str]:
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    value = getattr(node, "value", None)
    if isinstance(target, ast.Name) and target.id == "__all__" and isinstance(value, ast.List | ast.Tuple):
        yield from (e.value for e in value.elts if isinstance(e, ast.Constant) and isinstance(e.value, str))


def _starred(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
        yield "." * node.level + (node.module or "")


def _type(node: ast.ClassDef, version: tuple[int, int]) -> Type:
    members: dict[str, tuple[Callee, ...]] = {}
    for inner in statements(node.body, version):
        if isinstance(inner, Function):
            members[inner.name] = (*members.get(inner.name, ()), callee_of(inner))
            members.update({name: () for name in _set_on_self(inner) if name not in members})
        else:
            members.update(dict.fromkeys(_declared(inner), ()))
    return Type(node.name, tuple(_base(base) for base in node.bases), members)


def _base(node: ast.expr) -> str:
    """The dotted name of a base class, without its parameters."""
    return ast.unparse(node.value if isinstance(node, ast.Subscript) else node)


def _set_on_self(method: Function) -> Iterator[str]:
    first = (method.args.posonlyargs + method.args.args)[:1]
    if first:
        yield from attributes_set(method, first[0].arg)


def callee_of(node: Function | ast.Lambda) -> Callee:
    """The signature of a function. What an asynchronous one returns is to be awaited."""
    decorators = getattr(node, "decorator_list", [])
    returns = getattr(node, "returns", None)
    written = "" if returns is None else ast.unparse(returns)
    if isinstance(node, ast.AsyncFunctionDef) and not written.rpartition(".")[2].startswith(_ITERATED):
        written = COROUTINE
    return Callee(tuple(_parameters(node.args)), written, tuple(ast.unparse(d) for d in decorators))


def _parameters(args: ast.arguments) -> Iterator[Parameter]:
    positional = [*args.posonlyargs, *args.args]
    required = len(positional) - len(args.defaults)
    for number, arg in enumerate(positional):
        only = number < len(args.posonlyargs) or (arg.arg.startswith("__") and not arg.arg.endswith("__"))
        yield Parameter(arg.arg, number >= required, "p" if only else "")
    if args.vararg:
        yield Parameter(args.vararg.arg, True, "*")
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield Parameter(arg.arg, default is not None, "k")
    if args.kwarg:
        yield Parameter(args.kwarg.arg, True, "**")
