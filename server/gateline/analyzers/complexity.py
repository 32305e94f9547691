"""Cyclomatic complexity of every function, and the maintainability index of the document, by radon.

A function above `gates.complexity-best` is a finding. Only functions that the change adds or edits
count, and a function that was complex before is measured against what it was. What the comments at the
head call generated is not judged, and in tests an assertion is no path.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from types import MappingProxyType

from cachetools import LRUCache

from gateline.analysis.trees import walk
from gateline.model import (
    Analyzer,
    Dimension,
    Finding,
    Inspection,
    Level,
    Measure,
    Report,
    Source,
    State,
    Weight,
    digest_of,
)
from gateline.model.newer_syntax import why_no_tree
from gateline.model.source import Scope
from gateline.testing.naming import is_test

CODE = "GTL401"

_NEWER_NODES: Mapping[type[ast.AST], type[ast.AST]] = MappingProxyType({ast.TryStar: ast.Try})
_NEWER = tuple(_NEWER_NODES)
_BEST = 10.0
_WORST = 30.0
_remembered: LRUCache[tuple[str, bool], float] = LRUCache(10_000)
"""What functions came to, by the digest of their text, and whether assertions count."""


def inspect(inspection: Inspection) -> Report:
    """The measures `cyclomatic` by function, `lines`, and with the option of that name `maintainability`."""
    source, options = inspection.source, inspection.options
    lines = Measure("lines", float(len(source.lines)))
    if source.tree is None:
        return Report(
            ANALYZER.name, Dimension.COMPLEXITY, State.NO_DATA, why_no_tree(source.code), (), (lines,)
        )
    if inspection.is_generated:
        return Report(ANALYZER.name, Dimension.COMPLEXITY, State.NOTHING_TO_JUDGE, "", (), (lines,))
    try:
        functions = tuple(_functions(source, no_assert=is_test(source.path)))
    except RecursionError:
        reason = "the code is nested too deeply"
        return Report(ANALYZER.name, Dimension.COMPLEXITY, State.NO_DATA, reason, (), (lines,))
    measured = tuple(Measure("cyclomatic", value, name, node.lineno - 1) for name, node, value in functions)
    best, worst = _number(options, "best", _BEST), _number(options, "worst", _WORST)
    findings = tuple(_finding(source, n, node, v, best, worst) for n, node, v in functions if v > best)
    extra = _maintainability(source) if options.get("maintainability") else ()
    state = State.MEASURED if functions else State.NOTHING_TO_JUDGE
    return Report(ANALYZER.name, Dimension.COMPLEXITY, state, "", findings, (*measured, lines, *extra))


def _functions(source: Source, *, no_assert: bool) -> Iterator[tuple[str, Scope, float]]:
    from radon.visitors import ComplexityVisitor

    for name, node in source.scopes:
        if isinstance(node, ast.ClassDef):
            continue
        key = digest_of(source.scope_text(node)), no_assert
        value = _remembered.get(key)
        if value is None:
            # A function inside a function has its own row, and does not make the outer one more complex.
            known = _known_to_radon(ast.Module([node], []))
            visitor = ComplexityVisitor.from_ast(known, no_assert=no_assert)
            value = _remembered[key] = float(sum(f.complexity for f in visitor.functions))
        yield name, node, value


def _maintainability(source: Source) -> tuple[Measure, ...]:
    from radon.metrics import mi_compute, mi_parameters
    from radon.visitors import ComplexityVisitor

    if source.tree is None:
        return ()
    try:
        volume, complexity, lines, comments = mi_parameters(source.code)
        known = _known_to_radon(source.tree)
        if known is not source.tree:
            complexity = ComplexityVisitor.from_ast(known).total_complexity
        index = float(mi_compute(volume, complexity, lines, comments))
    except RecursionError:
        return ()
    return (Measure("maintainability", round(index, 1)),)


def _known_to_radon(tree: ast.Module) -> ast.Module:
    """The tree, with nodes of the same shape that radon knows in place of those that are newer than it."""
    if not any(isinstance(node, _NEWER) for node in walk(tree)):
        return tree
    known: ast.Module = _Known().visit(deepcopy(tree))
    return known


class _Known(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        instead = _NEWER_NODES.get(type(node))
        if instead is None:
            return node
        return ast.copy_location(instead(**dict(ast.iter_fields(node))), node)


def _finding(source: Source, name: str, node: Scope, value: float, best: float, worst: float) -> Finding:
    return Finding(
        code=CODE,
        path=source.path,
        span=source.name_span(node),
        message=f"cyclomatic complexity of `{name}` is {value:g} ({best:g} is best, {worst:g} worst)",
        dimension=Dimension.COMPLEXITY,
        weight=Weight.COUNTS,
        symbol=name,
        line_text=source.line(node.lineno - 1),
    )


def _number(options: Mapping[str, object], name: str, default: float) -> float:
    value = options.get(name, default)
    return float(value) if isinstance(value, int | float) else default


ANALYZER = Analyzer("complexity", Dimension.COMPLEXITY, Level.FINAL, inspect)
