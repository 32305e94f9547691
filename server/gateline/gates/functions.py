"""Pairs the functions, classes and modules of a changed file with those of its base."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent

from gateline.model.lines import code_lines
from gateline.model.measure import Measure
from gateline.model.source import Scope, Source

COMPLEX_FUNCTION = "GTL401"
Subject = tuple[str, int]
"""A qualified name, and which of those with the same name it is (a property has up to three)."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The own text of every function, class and module of a source, by subject."""

    texts: Mapping[Subject, str]

    def differs(self, base: Outline, subject: Subject) -> bool:
        """Whether `subject` is new, or its own text is not that of `base`, comments aside."""
        if subject not in base.texts:
            return True
        now, before = self.texts.get(subject), base.texts[subject]
        return now != before and (now is None or _code(now) != _code(before))


EMPTY = Outline({})


def outline(source: Source | None) -> Outline:
    """The outline of a source; empty where there is none, or where it does not parse.

    A function's own text is all of it; that of a class or module leaves out the functions and classes
    inside, so that a changed method does not make its class a changed one.
    """
    if source is None or source.tree is None:
        return EMPTY
    texts: dict[Subject, str] = {("", 0): _without_scopes(source, source.tree)}
    seen: Counter[str] = Counter()
    for name, node in source.scopes:
        text = _without_scopes(source, node) if isinstance(node, ast.ClassDef) else _whole(source, node)
        texts[name, seen[name]] = text
        seen[name] += 1
    return Outline(texts)


def subjects(measures: Iterable[Measure], name: str) -> dict[Subject, Measure]:
    """The measures called `name`, by subject; those with the same subject are told apart by their order."""
    found: dict[Subject, Measure] = {}
    seen: Counter[str] = Counter()
    for measure in sorted((m for m in measures if m.name == name), key=lambda m: (m.subject, m.line)):
        found[measure.subject, seen[measure.subject]] = measure
        seen[measure.subject] += 1
    return found


def _whole(source: Source, node: Scope) -> str:
    return _normal(source.lines[_first(node) - 1 : node.end_lineno])


def _without_scopes(source: Source, node: ast.Module | ast.ClassDef) -> str:
    first, last = (0, len(source.lines)) if isinstance(node, ast.Module) else _range(node)
    inside = {line for inner in _inner(node) for line in range(*_range(inner))}
    return _normal([source.lines[line] for line in range(first, last) if line not in inside])


def _inner(node: ast.AST) -> Iterator[Scope]:
    """The outermost functions and classes inside `node`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _inner(child)


def _code(text: str) -> list[str]:
    return [line for line in code_lines(text) if line]


def _range(node: Scope) -> tuple[int, int]:
    return _first(node) - 1, node.end_lineno or node.lineno


def _first(node: Scope) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _normal(lines: Sequence[str]) -> str:
    """The text without blank lines, trailing space and common indentation."""
    return dedent("\n".join(stripped for line in lines if (stripped := line.rstrip())))
