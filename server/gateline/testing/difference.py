"""What separates two contents of a file, as far as running them goes.

The body of a function matters to whoever calls it; everything else runs when the file is imported, and
matters to all that import it. Comments and layout matter to nobody.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gateline.model.document import split_lines
from gateline.testing.trace import bits_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Body:
    """A function whose body is another one now."""

    name: str
    """Qualified, as in `Cart.total`."""
    lines: int
    """The lines of the old body, as bits."""


@dataclass(frozen=True, slots=True)
class Difference:
    """From an old content to a new one."""

    at_import: bool = False
    """Importing the file does something else."""
    bodies: tuple[Body, ...] = ()
    kept: Mapping[int, int] = field(default_factory=dict)
    """Where old lines of unchanged code stand now, both zero-based."""
    added: tuple[str, ...] = ()
    """Functions that are new, by their qualified names."""

    @property
    def changed(self) -> int:
        """The old lines of all changed bodies, as bits."""
        found = 0
        for body in self.bodies:
            found |= body.lines
        return found


EVERYTHING = Difference(at_import=True)
"""Of contents of which one is not known, or does not parse: nothing is kept."""


def difference(old: str, new: str) -> Difference:
    """What changed from one text to the other."""
    try:
        before, after = _Module(old), _Module(new)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return EVERYTHING
    at_import = not before.imports_like(after)
    kept = {} if at_import else before.lines_of_import(after)
    bodies = []
    for name, function in before.functions.items():
        moved = function.moved(after.functions.get(name))
        if moved is None:
            bodies.append(Body(name[0], bits_of(function.lines)))
        else:
            kept |= moved
    added = tuple(name for name, _ in after.functions.keys() - before.functions.keys())
    return Difference(at_import, tuple(bodies), kept, added)


def called(text: str, lines: int) -> frozenset[str]:
    """Functions of a text whose bodies hold some of these lines (as bits); none if it does not parse."""
    try:
        functions = _Module(text).functions
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(name for (name, _), part in functions.items() if bits_of(part.lines) & lines)


class _Part:
    """The body of a function, without its docstring."""

    def __init__(self, node: _Function, statements: list[ast.stmt], lines: Sequence[str]) -> None:
        end = node.end_lineno or node.lineno
        self.lines = range(statements[0].lineno - 1 if statements else end, end)
        self._text = lines[self.lines.start : self.lines.stop]
        self._tree = ast.Module(body=statements, type_ignores=[])

    def moved(self, newer: _Part | None) -> dict[int, int] | None:
        """Where its lines stand in a newer text; None when it is another one there, or gone."""
        if newer is None:
            return None
        if self._text == newer._text:
            return dict(zip(self.lines, newer.lines, strict=True))
        if ast.dump(self._tree) != ast.dump(newer._tree):
            return None
        return _moved(self._tree, newer._tree)


class _Module:
    """A text: what runs when it is imported, and its functions."""

    def __init__(self, text: str) -> None:
        self._tree = ast.parse(text)
        lines = split_lines(text)
        self.functions: dict[tuple[str, int], _Part] = {}
        """By qualified name, and how many of that name came before."""
        for name, node in list(_functions(self._tree, "")):
            count = sum(known == name for known, _ in self.functions)
            # Docstrings become help texts and doctests at import.
            split = int(ast.get_docstring(node, clean=False) is not None)
            self.functions[name, count] = _Part(node, node.body[split:], lines)
            node.body = node.body[:split]

    def imports_like(self, newer: _Module) -> bool:
        """Whether importing does the same. A new function whose name meant nothing changes nothing."""
        if ast.dump(self._tree) == ast.dump(newer._tree):
            return True
        bound = _names(self._tree)
        newer._tree.body = [node for node in newer._tree.body if not _is_addition(node, bound)]
        return ast.dump(self._tree) == ast.dump(newer._tree)

    def lines_of_import(self, newer: _Module) -> dict[int, int]:
        """Where the lines stand that run at import, of one that imports alike."""
        return _moved(self._tree, newer._tree)


def _functions(node: ast.AST, around: str) -> Iterator[tuple[str, _Function]]:
    """Functions that are in no other one, with their qualified names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            yield around + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{around}{child.name}.")
        elif not isinstance(child, ast.expr):
            yield from _functions(child, around)


def _names(tree: ast.AST) -> set[str]:
    """All names that a module mentions or binds outside of function bodies, also as attributes or texts."""
    found = set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Constant(value=str(text)):
                found.add(text)
        if isinstance(node, ast.alias) and node.asname:
            found.add(node.asname)
    return found


def _is_addition(node: ast.stmt, bound: set[str]) -> bool:
    """Whether a statement only adds a function under a name that meant nothing before."""
    if not isinstance(node, _Function) or node.decorator_list:
        return False
    # Defaults and annotations run at import; plug-in systems look for names.
    runs = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    found = node.name not in bound and not node.name.startswith(("__", "pytest_"))
    return found and all(isinstance(default, ast.Constant) for default in runs)


def _moved(old: ast.AST, new: ast.AST) -> dict[int, int]:
    """The lines on which equal trees' parts begin. A line whose parts went several ways is left out."""
    found: dict[int, int] = {}
    parted = set()
    for before, after in zip(_places(old), _places(new), strict=True):
        if found.setdefault(before, after) != after:
            parted.add(before)
    return {before: after for before, after in found.items() if before not in parted}


def _places(tree: ast.AST) -> Iterator[int]:
    """The first line of each statement, handler, pattern and decorator, in an order of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.pattern):
            yield node.lineno - 1
        if isinstance(node, _Function | ast.ClassDef):
            yield from (decorator.lineno - 1 for decorator in node.decorator_list)
