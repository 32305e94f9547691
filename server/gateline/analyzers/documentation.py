"""Documentation coverage: public functions, classes and modules that have no docstring.

Public is what has no leading underscore in its own name or in the names around it, that of its module and
packages among them. Not asked for: stubs,
functions inside functions, overloads, setters and deleters, `@override`, `__init__` and other special
methods (their meaning is the language's), modules that are empty or only import, tests, and what the
comments at the head call generated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from gateline.model import (
    Analyzer,
    Dimension,
    Finding,
    Inspection,
    Level,
    Measure,
    Report,
    Source,
    Span,
    State,
    Weight,
)
from gateline.model.names import last_name
from gateline.model.newer_syntax import why_no_tree
from gateline.model.source import Scope

CODE = "GTL501"

_MODULE = "module"
_SILENT_DECORATORS = frozenset({"overload", "override", "setter", "deleter"})


def inspect(inspection: Inspection) -> Report:
    """Whether each public definition is documented."""
    source = inspection.source
    if source.tree is None:
        return Report(ANALYZER.name, Dimension.DOCUMENTATION, State.NO_DATA, why_no_tree(source.code))
    if _is_beside(source.path) or inspection.is_generated:
        return Report(ANALYZER.name, Dimension.DOCUMENTATION, State.NOTHING_TO_JUDGE)
    measures = []
    findings = []
    for name, node in _public(source, source.tree):
        documented = ast.get_docstring(node, clean=False) is not None
        line = 0 if isinstance(node, ast.Module) else node.lineno - 1
        measures.append(Measure("documented", float(documented), name, line))
        if not documented:
            findings.append(_finding(source, name, node, line))
    state = State.MEASURED if measures else State.NOTHING_TO_JUDGE
    return Report(ANALYZER.name, Dimension.DOCUMENTATION, state, "", tuple(findings), tuple(measures))


def _public(source: Source, tree: ast.Module) -> Iterator[tuple[str, ast.Module | Scope]]:
    if _has_code(tree):
        yield "", tree
    functions = {name for name, node in source.scopes if not isinstance(node, ast.ClassDef)}
    for name, node in source.scopes:
        parts = name.split(".")
        inside_function = any(".".join(parts[:n]) in functions for n in range(1, len(parts)))
        if not inside_function and not any(p.startswith("_") for p in parts) and not _is_silent(node):
            yield name, node


def _has_code(tree: ast.Module) -> bool:
    return any(not isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)


def _is_silent(node: Scope) -> bool:
    names = {last_name(d) for d in node.decorator_list}
    return not names.isdisjoint(_SILENT_DECORATORS)


def _is_beside(path: str) -> bool:
    """Whether nothing in a file is public: tests, stubs (the module has the docstrings), what is private."""
    parts = PurePosixPath(path)
    private = any(name.startswith("_") and not name.startswith("__") for name in parts.parts)
    return private or parts.suffix == ".pyi" or _is_test(parts)


def _is_test(parts: PurePosixPath) -> bool:
    names = (parts.name.startswith("test_"), parts.stem.endswith("_test"), parts.name == "conftest.py")
    return any(names) or not {"test", "tests"}.isdisjoint(parts.parts[:-1])


def _finding(source: Source, name: str, node: ast.Module | Scope, line: int) -> Finding:
    kind = {ast.Module: "module", ast.ClassDef: "class"}.get(type(node), "function")
    text = source.line(line)
    span = Span.of_line(line, text) if isinstance(node, ast.Module) else source.name_span(node)
    return Finding(
        code=CODE,
        path=source.path,
        span=span,
        message=f"public {kind} {f'`{name}` ' if name else ''}has no docstring",
        dimension=Dimension.DOCUMENTATION,
        weight=Weight.COUNTS,
        symbol=name,
        # What a module's first line says is no part of it: it may be any import.
        line_text=text if name else _MODULE,
    )


ANALYZER = Analyzer("documentation", Dimension.DOCUMENTATION, Level.FINAL, inspect)
