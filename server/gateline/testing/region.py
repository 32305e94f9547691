"""The bodies of functions, as lines: what is counted of a function, and not of the module around it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gateline.model.source import Scope, Source


@dataclass(frozen=True, slots=True)
class Region:
    """Zero-based lines of one function's body, both ends included; functions inside it belong to it."""

    symbol: str
    """The function's qualified name."""
    line: int
    """Of its `def`: that one runs when the module is imported."""
    first: int
    last: int

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last


def regions_of(source: Source) -> tuple[Region, ...]:
    """The bodies of all functions; none of a text that does not parse."""
    return tuple(
        Region(name, node.lineno - 1, _first(node), (node.end_lineno or node.lineno) - 1)
        for name, node in source.scopes
        if not isinstance(node, ast.ClassDef)
    )


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    decorators = first.decorator_list if isinstance(first, Scope) else []
    return min([first.lineno, *(decorator.lineno for decorator in decorators)]) - 1
