"""A project as definitions without docstrings: what rankings are asked about.

A docstring is both the question and, where it stands, its answer: so it is taken out of the text before
anything is indexed, and kept beside it for the tasks that may use it.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gateline.context.chunking.cutting import is_test

_LARGEST = 1_000_000
_OUT = {"node_modules", "__pycache__", "build", "dist", "venv", "site-packages"}
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass
class Definition:
    """A function outside of functions, a method, or a class."""

    path: str
    name: str
    """Qualified."""
    node: Scope
    """In the text without docstrings."""
    docstring: str
    first: int
    """One-based, decorators included, in the text without docstrings; so is `last`."""
    last: int
    number: int = 1
    """Counts definitions of the same name in the same file."""

    @property
    def id(self) -> str:
        """Names the definition in its project."""
        return f"{self.path}::{self.name}" + (f"#{self.number}" if self.number > 1 else "")

    @property
    def short(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The qualified name of the class around it; "" for none."""
        return self.name.rpartition(".")[0]

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.node, ast.ClassDef)


@dataclass
class Module:
    """A file without docstrings, its definitions and imports."""

    path: str
    dotted: str
    text: str
    tree: ast.Module
    test: bool
    definitions: list[Definition] = field(default_factory=list)
    top: dict[str, Definition] = field(default_factory=dict)
    """By qualified name; the first of several."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By local name: the module, and what is taken from it ("" for the module itself)."""
    starred: list[str] = field(default_factory=list)

    @property
    def is_package(self) -> bool:
        """Whether it is the file of a package itself."""
        return self.path.endswith("__init__.py")


def modules(root: Path) -> list[Module]:
    """All files of a project that parse, in the order of their paths."""
    found = (
        _load(root, file) for file in sorted(root.rglob("*.py"), key=lambda f: f.relative_to(root).as_posix())
    )
    return [module for module in found if module is not None]


def _load(root: Path, file: Path) -> Module | None:
    relative = file.relative_to(root)
    if any(part in _OUT or part.startswith(".") for part in relative.parts[:-1]):
        return None
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        text = (
            file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
        )
        return module_of(relative.as_posix(), text, _dotted(root, file))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None


def module_of(path: str, text: str, dotted: str) -> Module:
    """A text as a module. Raises SyntaxError."""
    original = _parsed(text)
    plain = without_docstrings(text, original)
    tree = _parsed(plain)
    module = Module(path, dotted, plain, tree, is_test(path))
    counts: dict[str, int] = {}
    for (name, node), (_, documented) in zip(_walk(tree.body), _walk(original.body), strict=True):
        counts[name] = counts.get(name, 0) + 1
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        docstring = ast.get_docstring(documented) or ""
        made = Definition(path, name, node, docstring, first, node.end_lineno or node.lineno, counts[name])
        module.definitions.append(made)
        module.top.setdefault(name, made)
    _read_imports(module)
    return module


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _dotted(root: Path, file: Path) -> str:
    """By which name the file is imported: from the folder above the packages around it."""
    names = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    while folder != root.parent and (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names)


def _walk(body: Iterable[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Scope]]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _walk(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for block in ("body", "orelse", "finalbody"):
                yield from _walk(getattr(node, block, ()), prefix)
            for handler in getattr(node, "handlers", ()):
                yield from _walk(handler.body, prefix)


def without_docstrings(text: str, tree: ast.Module) -> str:
    """The text without the docstrings of functions and classes; `pass` where nothing else was."""
    lines = [line.encode() for line in text.split("\n")]
    for node, docstring in sorted(_docstrings(tree), key=lambda pair: -pair[1].lineno):
        first, last = docstring.lineno - 1, (docstring.end_lineno or docstring.lineno) - 1
        before, after = lines[first][: docstring.col_offset], lines[last][docstring.end_col_offset or 0 :]
        if len(node.body) == 1:
            lines[first : last + 1] = [before + b"pass" + after]
        elif before.strip() or after.strip():
            lines[first : last + 1] = [before + after.lstrip(b" ;\t")]
        else:
            del lines[first : last + 1]
    return b"\n".join(lines).decode()


def _docstrings(tree: ast.Module) -> Iterator[tuple[Scope, ast.Expr]]:
    for node in ast.walk(tree):
        if isinstance(node, Scope):
            first = node.body[0]
            value = first.value if isinstance(first, ast.Expr) else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(value, ast.Constant)
                and isinstance(value.value, str)
            ):
                yield node, first


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _read_imports(module: Module) -> None:
    package = module.dotted if module.is_package else module.dotted.rpartition(".")[0]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                meant = alias.name if alias.asname else alias.name.partition(".")[0]
                module.imports.setdefault(alias.asname or meant, (meant, ""))
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            for alias in node.names:
                if alias.name == "*":
                    module.starred.append(base)
                else:
                    module.imports.setdefault(alias.asname or alias.name, (base, alias.name))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if package else []
    return ".".join([*above, *([node.module] if node.module else [])])
