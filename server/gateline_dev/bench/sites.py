"""Where a line can be put into a file so that a checker must look at it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Site:
    """Before a statement of a function's body: its line from 0, and its indentation."""

    line: int
    indent: str


def sites(text: str) -> list[Site]:
    """One place in each function that has one, in the order of the file."""
    lines = text.split("\n")
    found = (_middle(list(_places(node, lines))) for node in ast.walk(ast.parse(text)) if _is_function(node))
    return sorted(site for site in found if site is not None)


def spread(items: Sequence[Site], count: int) -> list[Site]:
    """`count` of them, evenly over the whole; all of them when there are fewer."""
    if count >= len(items):
        return list(items)
    return [items[position * len(items) // count] for position in range(count)]


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, Function)


def _middle(places: list[Site]) -> Site | None:
    return places[len(places) // 2] if places else None


def _places(node: ast.AST, lines: list[str]) -> Iterator[Site]:
    assert isinstance(node, Function)
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    for statement in body:
        if _starts_its_line(statement, lines):
            yield Site(statement.lineno - 1, lines[statement.lineno - 1][: statement.col_offset])
        if isinstance(statement, ast.Return | ast.Raise):
            return  # What follows is unreachable, and a checker may skip it.


def _starts_its_line(statement: ast.stmt, lines: list[str]) -> bool:
    number = statement.lineno - 1
    # The line of a decorated definition is that of `def`: a line put there would part the two.
    decorated = bool(getattr(statement, "decorator_list", ()))
    alone = not lines[number].encode()[: statement.col_offset].strip()
    continued = number > 0 and lines[number - 1].rstrip().endswith("\\")
    return alone and not decorated and not continued
