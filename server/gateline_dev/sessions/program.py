"""All modules of the small project, and the type errors that the small checker knows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gateline.model import Dimension, Finding, Span, Weight


@dataclass
class Program:
    """All modules, read when they are looked at."""

    read: Callable[[str], str | None]
    _modules: dict[str, _Module | None] = field(default_factory=dict)

    def module(self, path: str) -> _Module | None:
        """None where there is no file, or where it does not parse."""
        if path not in self._modules:
            text = self.read(path)
            self._modules[path] = None if text is None else _module(path, text)
        return self._modules[path]

    def parses(self, path: str) -> bool:
        """Whether there is something to say of it."""
        return self.module(path) is not None

    def reached(self, paths: Iterator[str]) -> set[str]:
        """These and what they import, and so on."""
        waiting, found = list(paths), set[str]()
        while waiting:
            path = waiting.pop()
            if path not in found and (module := self.module(path)) is not None:
                found.add(path)
                waiting += [file for row in module.imports if (file := self.file(row.module))]
        return found

    def file(self, module: str) -> str | None:
        """Where a module lies."""
        path = module.replace(".", "/") + ".py"
        return path if self.read(path) is not None else None

    def findings(self, path: str) -> tuple[Finding, ...]:
        """What is wrong in a module that parses."""
        module = self.module(path)
        if module is None:
            return ()
        found = [*self._of_imports(module), *self._of_calls(module), *module.own()]
        return tuple(sorted(found, key=lambda f: (f.span.start.line, f.message)))

    def _of_imports(self, module: _Module) -> Iterator[Finding]:
        for row in module.imports:
            if not row.module.startswith(("stall", "tools")):
                continue
            file = self.file(row.module)
            if file is None:
                yield module.finding(row.line, f'Cannot find a module named "{row.module}"')
            elif (other := self.module(file)) is not None and row.name not in other.names:
                yield module.finding(row.line, f'Module "{row.module}" has no attribute "{row.name}"')

    def _of_calls(self, module: _Module) -> Iterator[Finding]:
        imported = {row.name: row.module for row in module.imports}
        for call in module.calls:
            file = self.file(imported[call.name]) if call.name in imported else module.path
            other = self.module(file) if file else None
            function = other.functions.get(call.name) if other else None
            if function and call.given and function.takes and call.given != function.takes:
                yield module.finding(
                    call.line, f'Argument of "{call.name}" is "{call.given}", not "{function.takes}"'
                )
            if function and call.into and function.gives and function.gives != call.into:
                yield module.finding(call.line, f'"{call.name}" gives "{function.gives}", not "{call.into}"')


@dataclass(frozen=True)
class _Function:
    takes: str
    gives: str


@dataclass(frozen=True)
class _Import:
    module: str
    name: str
    line: int


@dataclass(frozen=True)
class _Call:
    name: str
    given: str
    line: int
    into: str
    """The type that its value must have; empty: any."""


@dataclass
class _Module:
    path: str
    lines: list[str]
    tree: ast.Module
    imports: list[_Import]
    functions: dict[str, _Function]
    names: set[str]
    calls: list[_Call]

    @classmethod
    def of(cls, path: str, text: str, tree: ast.Module) -> _Module:
        defined = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        imports = [
            _Import(node.module, alias.name, node.lineno - 1)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        ]
        functions = {node.name: _Function(_first(node), _name(node.returns)) for node in defined}
        assigned = [t.id for n in tree.body for t in _targets(n) if isinstance(t, ast.Name)]
        names = {*functions, *assigned, *(row.name for row in imports)}
        return cls(path, text.split("\n"), tree, imports, functions, names, list(_calls(tree)))

    def own(self) -> Iterator[Finding]:
        """What one sees without looking elsewhere."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
                yield from self._misfit(node.lineno, _name(node.annotation), node.value)
            if isinstance(node, ast.FunctionDef):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Constant):
                        yield from self._misfit(inner.lineno, _name(node.returns), inner.value)

    def _misfit(self, line: int, wanted: str, value: ast.Constant) -> Iterator[Finding]:
        given = type(value.value).__name__
        if wanted in ("int", "str") and given != wanted and "type: ignore" not in self.lines[line - 1]:
            yield self.finding(line - 1, f'Got "{given}", wanted "{wanted}"')

    def finding(self, line: int, message: str) -> Finding:
        text = self.lines[line]
        return Finding(
            code="GTL110",
            path=self.path,
            span=Span.of(line, 0, line, len(text)),
            message=message,
            dimension=Dimension.ERRORS,
            weight=Weight.COUNTS,
            origin="mypy: small",
            line_text=text,
        )


@lru_cache(maxsize=512)
def _module(path: str, text: str) -> _Module | None:
    tree = parsed(text)
    return None if tree is None else _Module.of(path, text, tree)


def _calls(tree: ast.Module) -> Iterator[_Call]:
    returns = {
        id(inner.value): _name(node.returns)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Return) and inner.value is not None
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) <= 1:
            given = node.args[0] if node.args else None
            said = type(given.value).__name__ if isinstance(given, ast.Constant) else ""
            yield _Call(node.func.id, said, node.lineno - 1, returns.get(id(node), ""))


def _targets(node: ast.stmt) -> list[ast.expr]:
    return (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )


def _first(node: ast.FunctionDef) -> str:
    return _name(node.args.args[0].annotation) if node.args.args else ""


def _name(node: ast.expr | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def parsed(text: str) -> ast.Module | None:
    """The tree of a text; None where it does not parse."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None
