"""Places in Python texts: statements and expressions by position, and texts with them replaced."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random
from typing import TypeVar

from gateline_dev.truth.tree import Tree

Function = ast.FunctionDef | ast.AsyncFunctionDef
_N = TypeVar("_N", bound=ast.AST)


def pick(
    tree: Tree, dice: Random, paths: list[str], sites: Callable[[ast.Module], Iterator[_N] | list[_N]]
) -> tuple[str, _N] | None:
    """A random file among those that have such a place, and a random place in it."""
    paths = list(paths)
    dice.shuffle(paths)
    for path in paths:
        found = list(sites(tree.module(path)))
        if found:
            return path, dice.choice(found)
    return None


def top_functions(module: ast.Module) -> list[Function]:
    """Functions at the top level."""
    return [node for node in module.body if isinstance(node, Function)]


def top_classes(module: ast.Module) -> list[ast.ClassDef]:
    """Classes at the top level."""
    return [node for node in module.body if isinstance(node, ast.ClassDef)]


def functions(module: ast.Module) -> list[Function]:
    """All functions and methods."""
    return [node for node in ast.walk(module) if isinstance(node, Function)]


def inside_functions(module: ast.Module, kind: type[_N]) -> Iterator[_N]:
    """Nodes of a kind in bodies of functions, docstrings and annotations left out."""
    for function in functions(module):
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        for statement in body:
            yield from (node for node in ast.walk(statement) if isinstance(node, kind))


def lines_of(node: ast.stmt) -> tuple[int, int]:
    """The first line, decorators included, and the last one; from 1."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return first, node.end_lineno or node.lineno


def without(text: str, node: ast.stmt) -> str:
    """The text without the lines of a statement."""
    first, last = lines_of(node)
    lines = text.splitlines(keepends=True)
    return "".join(lines[: first - 1] + lines[last:])


def span(text: str, node: ast.AST) -> tuple[int, int]:
    """Where a node is in the text."""
    starts = [0]
    lines = text.splitlines(keepends=True)
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    first = offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
    return first, offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def replaced(text: str, node: ast.AST, new: str) -> str:
    """The text with another one in the place of a node."""
    first, last = span(text, node)
    return text[:first] + new + text[last:]


def source_of(text: str, node: ast.AST) -> str:
    """The text of a node."""
    first, last = span(text, node)
    return text[first:last]


def after_head(module: ast.Module) -> int:
    """The line after the docstring and `from __future__` imports; from 0, for inserting there."""
    last = 0
    for index, node in enumerate(module.body):
        docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        last = node.end_lineno or last
    return last


def inserted(text: str, line: int, new: str) -> str:
    """The text with lines inserted before a line; from 0."""
    lines = text.splitlines(keepends=True)
    if line and lines[line - 1 : line] and not lines[line - 1].endswith("\n"):
        lines[line - 1] += "\n"
    return "".join([*lines[:line], new, *lines[line:]])


def indent_of(text: str, line: int) -> str:
    """The spaces that a line, from 1, begins with."""
    row = text.splitlines()[line - 1]
    return row[: len(row) - len(row.lstrip())]


def names_in(node: ast.AST) -> set[str]:
    """Names that are read or bound."""
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}


def own_names(function: Function) -> set[str]:
    """Parameters and local names of a function."""
    arguments = {arg.arg for arg in ast.walk(function) if isinstance(arg, ast.arg)}
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return arguments | stored | {f.name for f in ast.walk(function) if isinstance(f, Function)}
