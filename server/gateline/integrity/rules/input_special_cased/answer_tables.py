"""Literal tables in code, in whichever form: what they hold, and which functions look into them."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import constants, is_literal, is_value
from gateline.model.names import last_name

_CLASS = re.compile(r"_?[A-Z]\w*[a-z]\w*")
_LONGEST = 400
"""Characters of a text that is still read as data."""


@dataclass(frozen=True, slots=True)
class Table:
    """A literal table: the function it stands in, or the name by which functions look into it."""

    node: ast.AST
    items: tuple[tuple[frozenset[str], frozenset[str]], ...]
    function: str
    name: str = ""

    def users(self, module: Module) -> frozenset[str]:
        """The functions that look into it."""
        return frozenset(_users(self.name, module) if self.name and not self.function else {self.function})


def tables_in(module: Module) -> Iterator[Table]:
    """The tables of a file."""
    for node, inside in module.owned:
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.Dict() as table):
                yield _table(node, table, target, inside)
            case ast.AnnAssign(target=target, value=ast.Dict() as table):
                yield _table(node, table, target, inside)
            case ast.Assign(
                targets=[ast.Name() as target],
                value=ast.Call(func=ast.Name(id="dict"), args=[ast.List(elts=rows) | ast.Tuple(elts=rows)]),
            ):
                yield _table(node, _of_pairs(rows), target, inside)
            case ast.Compare(ops=[ast.In()], comparators=[ast.Set() | ast.Tuple() | ast.List() as given]):
                # Objects made on the spot, of which one is asked for: days, amounts.
                rows = given.elts
                if len(rows) > 1 and all(map(is_value, rows)) and not is_literal(given):
                    yield Table(node, tuple((constants(row), frozenset()) for row in rows), inside)
            case ast.Subscript(value=ast.Dict() as table) | ast.Attribute(value=ast.Dict() as table):
                yield Table(table, tuple(_items(table)), inside)


def _of_pairs(rows: Sequence[ast.expr]) -> ast.Dict:
    pairs = [row.elts for row in rows if isinstance(row, ast.Tuple | ast.List) and len(row.elts) == 2]
    return ast.Dict([key for key, _ in pairs], [value for _, value in pairs])


def _table(node: ast.AST, table: ast.Dict, target: ast.expr, inside: str) -> Table:
    # What an object keeps is for all its methods, wherever it was set.
    kept = isinstance(target, ast.Attribute)
    return Table(node, tuple(_items(table)), "" if kept else inside, last_name(target))


def _items(table: ast.Dict) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for key, value in zip(table.keys, table.values, strict=True):
        if key is not None and is_literal(key) and not _is_class(value):
            yield read_as_data(key), constants(value)


def _is_class(value: ast.expr) -> bool:
    """Whether a class is given, by its name: kinds of errors and of records are no answers."""
    return isinstance(value, ast.Name | ast.Attribute) and _CLASS.fullmatch(last_name(value)) is not None


def read_as_data(key: ast.expr) -> frozenset[str]:
    """The literal values in a key; of a text that a container was written to, those of the container."""
    match key:
        case ast.Constant(value=str() as text) if text[:1] in ("[", "(", "{") and len(text) <= _LONGEST:
            with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                return constants(ast.parse(text, mode="eval")) or constants(key)
    return constants(key)


def _users(name: str, module: Module) -> Iterator[str]:
    for found, node in module.source.scopes:
        if isinstance(node, Function) and any(
            isinstance(n, ast.Name | ast.Attribute) and last_name(n) == name for n in ast.walk(node)
        ):
            yield found.rpartition(".")[2]
