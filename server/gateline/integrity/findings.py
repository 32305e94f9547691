"""Makes findings of integrity."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gateline.analysis.modules import Module
from gateline.model.finding import Dimension, Finding, Weight
from gateline.model.source import Scope
from gateline.model.span import Span


def at_node(code: str, module: Module, node: ast.AST, message: str, weight: Weight) -> Finding:
    """A finding at a node: at the name of a function or class, else at its first line."""
    source = module.source
    if isinstance(node, Scope):
        span = source.name_span(node)
    else:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        start = source.position(line, column)
        end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
        end = source.position(end_line, end_column)
        if end.line != start.line:
            span = Span(start, Span.of_line(start.line, source.line(start.line)).end)
        else:
            span = Span(start, end)
    return at_span(code, module, span, message, weight)


def at_span(code: str, module: Module, span: Span, message: str, weight: Weight) -> Finding:
    """A finding at a place of a Python file."""
    line = span.start.line
    return Finding(
        code=code,
        path=module.source.path,
        span=span,
        message=message,
        dimension=Dimension.INTEGRITY,
        weight=weight,
        symbol=module.source.symbol_at(line),
        line_text=module.source.line(line),
    )


def at_line(code: str, path: str, text: str, line: int, message: str, weight: Weight) -> Finding:
    """A finding on a line of any text; of a deleted file, on its first."""
    lines = text.splitlines()
    shown = lines[line] if line < len(lines) else ""
    return Finding(
        code, path, Span.of_line(line, shown), message, Dimension.INTEGRITY, weight, line_text=shown
    )


def once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Of several findings at one place the first."""
    seen: set[object] = set()
    for finding in findings:
        if (place := (finding.path, finding.span)) not in seen:
            seen.add(place)
            yield finding
