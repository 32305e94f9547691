"""What answers in the place of child processes: the worker itself, and a small type checker."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gateline.model import Dimension, Finding, Report, Span, State, Weight, digest_of
from gateline.services.child import ChildDiedError
from gateline.services.types.checked import Checked
from gateline.services.worker import Worker
from gateline_dev.sessions.virtual import Threadless, VirtualLoop

Texts = Mapping[str, str | None]
_DELAYS = (0.001, 0.001, 0.01, 0.05, 0.4)
"""Seconds that an answer takes, by chance."""


async def _a_while() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    await asyncio.sleep(loop.dice.choice(_DELAYS))


class NearWorker:
    """Answers like the worker's process, one question after the other."""

    def __init__(self, module: str, **_: object) -> None:
        self.module = module
        self.pid: int | None = None
        self.starts = 0
        self._worker: Worker | None = None
        self._is_dismissed = False
        self._turn = asyncio.Lock()

    async def ask(self, message: object, timeout: float, on_part: Callable[[Any], None] | None = None) -> Any:
        """The last part of the answer."""
        async with self._turn:
            if self._is_dismissed:
                raise ChildDiedError(f"{self.module} was ended")
            if self._worker is None:
                self._worker, self.pid, self.starts = Worker(), 1, 1
                _living.add(self)
            part = None
            await _a_while()
            for part in self._worker.answer(message):
                if on_part is not None:
                    on_part(part)
                await _a_while()
            return part

    async def dismiss(self) -> None:
        """Nobody asks any more."""
        self._is_dismissed = True
        _living.discard(self)


_living: set[NearWorker | SmallChecker] = set()
"""Those that would be processes now."""


def left() -> list[str]:
    """What would outlive the servers that are gone."""
    return [type(one).__name__ for one in _living]


@contextmanager
def doubles() -> Iterator[None]:
    """Sessions that are made meanwhile have no processes and no threads."""
    with ExitStack() as stack:
        stack.enter_context(patch("gateline.session.engine.Child", NearWorker))
        stack.enter_context(patch("gateline.session.tools.TypeChecker", SmallChecker))
        for module in ("analysis", "recording.recorder", "context_meaning"):
            stack.enter_context(patch(f"gateline.session.{module}.ThreadPoolExecutor", Threadless))
        _living.clear()
        yield


class SmallChecker:
    """Knows `int` and `str`, functions of one argument, and what modules import from each other.

    The resident part remembers a file that it read until it is told that it was written, and a text that
    parsed until the next one that does; the ordinary run reads everything.
    """

    def __init__(self, options: Any) -> None:
        self._root = Path(options.setup.root)
        self._texts: dict[str, str] = {}
        self._good: dict[str, str] = {}
        """By path: the last text that parsed, of those that were laid."""
        self._disk: dict[str, str | None] = {}
        self._told: dict[str, tuple[Finding, ...]] = {}
        self._is_over = False
        self._turn = asyncio.Lock()

    def warm(self) -> None:
        """Would start a process."""
        _living.add(self)

    async def update(self, texts: Texts) -> Checked:
        """What is found in these texts, and in others of ours where it is other than before."""
        for path, text in texts.items():
            if text is not None:
                self._texts[path] = text
        async with self._turn:
            if self._is_over:
                return Checked(*self._refused(texts))
            await _a_while()
            program = Program(self._read)
            found = {path: program.findings(path) for path in self._texts if program.parses(path)}
            said = {p: f for p, f in found.items() if p in texts or self._told.get(p) != f}
            self._told |= said
            now = {path: self._texts[path] for path in said}
            answer = Checked(
                {p: _report(f) for p, f in said.items()}, {p: digest_of(t) for p, t in now.items()}
            )
            await _a_while()
            return answer

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        """What is found in these texts, and in what they import."""
        if self._is_over:
            return self._refused(texts)[0]
        laid = dict(texts)

        def read(path: str) -> str | None:
            return laid[path] if path in laid else _saved(self._root, path)

        program = Program(read)
        reached = program.reached(path for path, text in laid.items() if text is not None)
        answer = {path: _report(program.findings(path)) for path in sorted(reached) if program.parses(path)}
        await _a_while()
        return answer

    async def files_changed(self, paths: Sequence[str]) -> None:
        """These are read again."""
        for path in paths:
            self._disk.pop(path, None)

    async def close(self, path: str) -> None:
        """The file counts."""
        self._texts.pop(path, None)
        self._good.pop(path, None)
        self._told.pop(path, None)
        self._disk.pop(path, None)

    async def stop(self) -> None:
        """Nobody asks any more."""
        self._is_over = True
        _living.discard(self)

    def _refused(self, texts: Texts) -> tuple[dict[str, Report], dict[str, str]]:
        """As the real one answers that was stopped."""
        said = {path: text for path, text in texts.items() if text is not None}
        failed = Report("types", Dimension.ERRORS, State.FAILED, "the type checker was stopped")
        return dict.fromkeys(said, failed), {path: digest_of(text) for path, text in said.items()}

    def _read(self, path: str) -> str | None:
        text = self._texts.get(path)
        if text is not None:
            if _parsed(text) is not None:
                self._good[path] = text
            return self._good.get(path, text)
        if path not in self._disk:
            self._disk[path] = _saved(self._root, path)
        return self._disk[path]


@dataclass
class Program:
    """All modules, read when they are looked at."""

    read: Callable[[str], str | None]
    _modules: dict[str, _Module | None] = field(default_factory=dict)

    def module(self, path: str) -> _Module | None:
        """None where there is no file, or where it does not parse."""
        if path not in self._modules:
            text = self.read(path)
            tree = None if text is None else _parsed(text)
            self._modules[path] = None if tree is None or text is None else _Module.of(path, text, tree)
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


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _saved(root: Path, path: str) -> str | None:
    try:
        return (root / path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _report(findings: tuple[Finding, ...]) -> Report:
    return Report("types", Dimension.ERRORS, findings=findings)
