"""What texts may name: the files of a project, and the functions, classes and constants of its modules."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from gateline.analysis.modules import reached

_KNOWN = frozenset(dir(builtins)) | sys.stdlib_module_names


class SymbolKind(StrEnum):
    """What a name stands for."""

    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function, class or value of the project."""

    name: str
    kind: SymbolKind
    path: str
    is_async: bool = False
    positional: int | None = None
    """How many arguments a call may give by position; None for any number."""
    keywords: frozenset[str] | None = None
    """What a call may give by keyword; None for anything."""
    value: str | None = None
    """A literal, as Python writes it."""
    members: Mapping[str, Symbol] = field(default_factory=lambda: MappingProxyType({}))
    is_open: bool = False
    """A class with members that its text does not tell: it has bases, or answers for any name."""


@dataclass(frozen=True, slots=True)
class Codebase:
    """The names of a project."""

    files: frozenset[str]
    modules: Mapping[str, Mapping[str, Symbol]]
    """The names of each module, by its dotted name."""
    imported: frozenset[str]
    """The first part of what the project imports from elsewhere."""
    index: Mapping[str, tuple[Symbol, ...]]
    """The symbols of all modules by name."""
    members: frozenset[str]
    """The names of all members and parameters."""
    packages: frozenset[str]
    """All modules, and the packages that they are in."""

    def has_file(self, path: str) -> bool:
        """Whether a file or folder is there, by its path or the end of it."""
        path = path.removeprefix("./").strip("/")
        return any(f == path or f.endswith(f"/{path}") or f"/{path}/" in f"/{f}" for f in self.files)

    def named(self, name: str) -> Iterator[Symbol]:
        """The symbols that a dotted name may mean, in any module."""
        first, *rest = name.split(".")
        for symbol in self.index.get(first, ()):
            found = _inner(symbol, rest)
            if found is not None:
                yield found
        for cut in range(1, len(rest) + 1):
            names = self.modules.get(".".join((first, *rest[: cut - 1])), {})
            found = _inner(names.get(rest[cut - 1]), rest[cut:])
            if found is not None:
                yield found

    def missing(self, name: str) -> bool:
        """Whether a dotted name should be the project's, by what it begins with, and is not there.

        One that begins with nothing of the project's is somebody else's: of another language, a variable.
        """
        if name in self.packages or any(self.named(name)):
            return False
        owner, dot, _ = name.rpartition(".")
        if not dot:
            return not (name in _KNOWN or name in self.imported or name in self.members)
        owners = list(self.named(owner))
        if owners:
            return all(one.kind is SymbolKind.CLASS and not one.is_open for one in owners)
        return name.split(".")[0] in self.packages

    def near(self, name: str, likeness: float = 0.75) -> str:
        """The name of the project that is most alike; empty when none is so much alike (0-1)."""
        last = name.rpartition(".")[2]
        found = get_close_matches(last, self.members | self.index.keys(), n=1, cutoff=likeness)
        return found[0] if found else ""


def _inner(symbol: Symbol | None, rest: Iterable[str]) -> Symbol | None:
    """A member of a member of a symbol."""
    for part in rest:
        symbol = symbol.members.get(part) if symbol else None
    return symbol


def codebase(texts: Mapping[str, str], others: Iterable[str] = ()) -> Codebase:
    """What a project has: `texts` of its Python files by path, and the paths of all other files.

    A file that does not parse has no names that could be missed: nothing is said of those.
    """
    modules: dict[str, Mapping[str, Symbol]] = {}
    imported: set[str] = set()
    for path, text in texts.items():
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        modules[_module(path)] = {symbol.name: symbol for symbol in _symbols(tree.body, path)}
        imported |= {name.split(".")[0] for name in _imports(tree)}
    packages = {
        ".".join(parts[:n]) for m in modules for parts in (m.split("."),) for n in range(1, len(parts) + 1)
    }
    symbols = [symbol for names in modules.values() for symbol in names.values()]
    index: dict[str, tuple[Symbol, ...]] = {}
    for symbol in symbols:
        index[symbol.name] = (*index.get(symbol.name, ()), symbol)
    inner = [*symbols, *(member for symbol in symbols for member in symbol.members.values())]
    return Codebase(
        frozenset({*texts, *others}),
        MappingProxyType(modules),
        frozenset(imported - packages),
        MappingProxyType(index),
        frozenset(name for one in inner for name in (*one.members, *(one.keywords or ()))),
        frozenset(packages),
    )


def _module(path: str) -> str:
    dotted = path.removesuffix(".py").removeprefix("src/").replace("/", ".")
    return dotted.removesuffix(".__init__")


def _imports(tree: ast.Module) -> Iterator[str]:
    """What the top level of a module imports: to walk all of a tree takes longer than to parse it."""
    for node in reached(tree.body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _symbols(body: Iterable[ast.stmt], path: str, *, method: bool = False) -> Iterator[Symbol]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield _function(node, path, method=method)
        elif isinstance(node, ast.ClassDef):
            yield _class(node, path)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _values(node, path)
        elif isinstance(node, ast.If | ast.Try):
            yield from _symbols([*node.body, *node.orelse], path, method=method)


def _values(node: ast.Assign | ast.AnnAssign, path: str) -> Iterator[Symbol]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    value = ast.unparse(node.value) if isinstance(node.value, ast.Constant | ast.UnaryOp) else None
    for target in targets:
        if isinstance(target, ast.Name):
            yield Symbol(target.id, SymbolKind.VALUE, path, value=value)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, path: str, *, method: bool) -> Symbol:
    args, names = node.args, {ast.unparse(one).split("(")[0] for one in node.decorator_list}
    bound = method and "staticmethod" not in names
    listed = [*args.posonlyargs, *args.args][1 if bound else 0 :]
    is_open = bool(names - {"staticmethod", "classmethod", "property", "cached_property"})
    by_name = frozenset(one.arg for one in (*listed, *args.kwonlyargs))
    return Symbol(
        node.name,
        SymbolKind.VALUE if names & {"property", "cached_property"} else SymbolKind.FUNCTION,
        path,
        is_async=isinstance(node, ast.AsyncFunctionDef),
        positional=None if args.vararg or is_open else len(listed),
        keywords=None if args.kwarg or is_open else by_name,
    )


def _class(node: ast.ClassDef, path: str) -> Symbol:
    members = {symbol.name: symbol for symbol in _symbols(node.body, path, method=True)}
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                members.setdefault(name, Symbol(name, SymbolKind.VALUE, path))
    made = members.get("__init__")
    plain = made is not None and not node.decorator_list and not node.keywords
    return Symbol(
        node.name,
        SymbolKind.CLASS,
        path,
        positional=made.positional if made and plain else None,
        keywords=made.keywords if made and plain else None,
        members=MappingProxyType(members),
        is_open=bool(node.bases or node.decorator_list) or "__getattr__" in members,
    )
