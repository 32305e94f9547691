"""Which tests can be compared with those of the base: they execute the change, and are as before."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from gateline.testing.result import Ending, Result
from gateline.testing.trace import Trace


def executing(
    results: Iterable[Result], traces: Collection[Trace], paths: Collection[str]
) -> tuple[str, ...] | None:
    """The tests that passed and executed one of these files; None when nothing tells what they executed."""
    if not traces:
        return None
    wanted = set(paths)
    found = {trace.test for trace in traces if not wanted.isdisjoint(trace.files)}
    return tuple(r.id for r in results if r.ending is Ending.PASSED and r.id in found)


def edited_functions(before: str, now: str) -> frozenset[str]:
    """The qualified names of functions of `now` that `before` has not, or not the same; layout apart."""
    known = _functions(before)
    return frozenset(name for name, text in _functions(now).items() if known.get(name) != text)


def _functions(text: str) -> dict[str, str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, str] = {}
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop()
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                found[f"{prefix}{inner.name}"] = ast.dump(inner)
            elif isinstance(inner, ast.ClassDef):
                waiting.append((f"{prefix}{inner.name}.", inner))
    return found
