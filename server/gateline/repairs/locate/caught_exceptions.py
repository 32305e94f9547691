"""The exceptions that callers are ready for: what a test says is raised, what is caught on the way here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.world import code_at
from gateline.repairs.locate.places import Spot

_CHECKS = {"raises", "assertRaises", "assertRaisesRegex"}
_ANY = frozenset({"Exception", "BaseException"})
"""Whoever catches these expects no error in particular."""
_TOLD = re.compile(r":raises? (\w+)|^[ \t]+(\w*(?:Error|Exception))[ \t]*:", re.MULTILINE)


def expected(knowledge: Knowledge, spot: Spot, place: ast.AST) -> list[str]:
    """The names of exceptions that `place` may raise, as its callers and its documentation say."""
    scope = visible(spot.code, place)
    found = [*_of_callers(knowledge, spot), *_of_documentation(spot.code.function(place))]
    return [name for name in dict.fromkeys(found) if name in scope and name not in _ANY]


def _of_callers(knowledge: Knowledge, spot: Spot) -> Iterator[str]:
    for frame in reversed(spot.callers):
        code = code_at(knowledge, frame.path) if frame.ours else None
        for node in code.nodes if code is not None else ():
            if isinstance(node, ast.With | ast.Try) and _covers(node, frame.line):
                yield from _checked(node) if isinstance(node, ast.With) else _caught(node)


def _covers(node: ast.With | ast.Try, line: int) -> bool:
    return node.body[0].lineno <= line + 1 <= (node.body[-1].end_lineno or node.body[-1].lineno)


def _checked(node: ast.With) -> Iterator[str]:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and dotted(call.func).rpartition(".")[2] in _CHECKS and call.args:
            yield from _names(call.args[0])


def _caught(node: ast.Try) -> Iterator[str]:
    for handler in node.handlers:
        is_raised_again = isinstance(last := handler.body[-1], ast.Raise) and last.exc is None
        if handler.type is not None and not is_raised_again:
            yield from _names(handler.type)


def _names(node: ast.expr) -> Iterator[str]:
    for inner in node.elts if isinstance(node, ast.Tuple) else [node]:
        yield dotted(inner)


def _of_documentation(function: Function | None) -> Iterator[str]:
    text = (ast.get_docstring(function, clean=False) if function is not None else None) or ""
    yield from (one or other for one, other in _TOLD.findall(text))


def raising(code: Code, function: Function | None, name: str, about: str) -> str:
    """How an exception is raised: as the function does it elsewhere, else with what is wrong."""
    for node in ast.walk(function) if function is not None else ():
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and dotted(node.exc.func) == name:
            segment = code.segment(node)
            if "\n" not in segment:
                return segment
    detail = f'f"invalid {about}: {{{about}!r}}"' if about else '"a value is missing"'
    return f"raise {name}({detail})"
