"""What matters of one text when it is compared with another: small enough to be kept for many versions.

Syntax trees are dropped as soon as they were looked at; a body is parsed again only when its text differs.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gateline.model.document import split_lines
from gateline.testing.heads import Classes, Function, Heads

_KEPT = 256
"""Texts that are remembered: the project's own files, and some versions of those that are being edited."""
_BUILTINS = frozenset(dir(builtins))


class Part:
    """The body of a function, without its docstring, and of its head what matters to its callers alone."""

    def __init__(self, node: Function, statements: list[ast.stmt], lines: Sequence[str]) -> None:
        end = node.end_lineno or node.lineno
        self.lines = range(statements[0].lineno - 1 if statements else end, end)
        self._text = lines[self.lines.start : self.lines.stop]
        self._said: tuple[str, tuple[int, ...]] | None = None
        self.head = ""
        self.docstring: tuple[int, ...] = ()
        """The line on which it begins, where it belongs to the head."""
        if statements and not lines[self.lines.start][: statements[0].col_offset].isspace():
            # Beside the head: it cannot be parsed by itself.
            self._said = _said(statements, 0)

    @property
    def bits(self) -> int:
        """Its lines as bits."""
        return ((1 << len(self.lines)) - 1) << self.lines.start

    def moved(self, newer: Part | None) -> dict[int, int] | None:
        """Where its lines stand in a newer text; None when it is another one there, or gone."""
        if newer is None:
            return None
        if self._text == newer._text:
            return dict(zip(self.lines, newer.lines, strict=True))
        try:
            (old, before), (new, after) = self._parsed(), newer._parsed()
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return pairs(before, after) if old == new else None

    def _parsed(self) -> tuple[str, tuple[int, ...]]:
        """What it says, and on which lines its parts begin."""
        if self._said is None:
            blocks = ast.parse("if 1:\n" + "".join(self._text)).body if self._text else []
            statements = [s for block in blocks if isinstance(block, ast.If) for s in block.body]
            self._said = _said(statements, self.lines.start - 1)
        return self._said


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that runs at import, without the bodies of functions."""

    dump: str
    places: tuple[int, ...]
    """The lines on which its parts begin."""
    adds: str
    """The name of the plain function that it defines, and that nobody looks for; else empty."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text: what runs when it is imported, and its functions."""

    statements: tuple[Statement, ...]
    functions: Mapping[tuple[str, int], Part]
    """By qualified name, and how many of that name came before."""
    names: frozenset[str]
    """All names that are mentioned or bound outside of function bodies, also as attributes or texts."""

    def imports(self, older: Parsed) -> tuple[Statement, ...]:
        """What runs at import, without new functions whose name meant nothing in an older text."""
        return tuple(s for s in self.statements if not s.adds or s.adds in older.names)


@lru_cache(maxsize=_KEPT)
def parsed(text: str) -> Parsed | None:
    """What matters of a text; None when it does not parse."""
    try:
        return _parsed(ast.parse(text), split_lines(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def pairs(old: Sequence[int], new: Sequence[int]) -> dict[int, int]:
    """The lines on which equal trees' parts begin. A line whose parts went several ways is left out."""
    found: dict[int, int] = {}
    parted = set()
    for before, after in zip(old, new, strict=True):
        if found.setdefault(before, after) != after:
            parted.add(before)
    return {before: after for before, after in found.items() if before not in parted}


def _parsed(tree: ast.Module, lines: Sequence[str]) -> Parsed:
    functions: dict[tuple[str, int], Part] = {}
    counts: dict[str, int] = {}
    found = list(_functions(tree, "", ()))
    for name, node, _ in found:
        count = counts[name] = counts.get(name, -1) + 1
        split = int(ast.get_docstring(node, clean=False) is not None)
        functions[name, count] = Part(node, node.body[split:], lines)
        node.body = node.body[:split]
    heads = Heads(tree)
    for part, (_, node, classes) in zip(functions.values(), found, strict=True):
        if part.bits:  # else no trace tells who calls it
            docstring = tuple(one.lineno - 1 for one in node.body)
            part.head = heads.take(node, classes)
            part.docstring = () if node.body else docstring
    statements = tuple(_statement(node) for node in tree.body)
    return Parsed(statements, functions, _BUILTINS | _names(tree))


def _statement(node: ast.stmt) -> Statement:
    return Statement(ast.dump(node), tuple(_places(node)), _added(node))


def _said(statements: list[ast.stmt], shift: int) -> tuple[str, tuple[int, ...]]:
    body = ast.Module(body=statements, type_ignores=[])
    return ast.dump(body), tuple(line + shift for line in _places(body))


def _functions(node: ast.AST, around: str, classes: Classes) -> Iterator[tuple[str, Function, Classes]]:
    """Functions that are in no other one, with their qualified names and the classes that they are in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield around + child.name, child, classes
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{around}{child.name}.", (*classes, child))
        elif not isinstance(child, ast.expr):
            yield from _functions(child, around, classes)


def _names(tree: ast.AST) -> set[str]:
    found = set()
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


def _added(node: ast.stmt) -> str:
    if not isinstance(node, Function) or node.decorator_list:
        return ""
    # Defaults and annotations run at import; plug-in systems look for names.
    runs = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    plain = not node.name.startswith(("__", "pytest_"))
    return node.name if plain and all(isinstance(default, ast.Constant) for default in runs) else ""


def _places(tree: ast.AST) -> Iterator[int]:
    """The first line of each statement, handler, pattern and decorator, in an order of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.pattern):
            yield node.lineno - 1
        if isinstance(node, Function | ast.ClassDef):
            yield from (decorator.lineno - 1 for decorator in node.decorator_list)
