"""Where in the code a problem was met: the node that failed, in each call on the way to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from gateline.model import Frame, Knowledge, Position, Problem, Span
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.world import code_at

_N = TypeVar("_N", bound=ast.AST)
_BODIES = ("body", "orelse", "handlers", "finalbody", "cases")


@dataclass(frozen=True)
class Spot:
    """A place at which a problem was met."""

    code: Code
    line: int
    """Zero-based."""
    node: ast.AST | None = None
    """The expression that failed; None when only the line is known."""
    seen: Mapping[str, str] = field(default_factory=dict)
    """What names held there, by type."""
    number: int = 0
    """How many calls of the workspace lie between it and the error."""
    callers: tuple[Frame, ...] = ()
    """The calls that led here, outermost first."""
    entered: Frame | None = None
    """Where the run went on from here: in the function that the failing expression called."""

    def candidates(self, *kinds: type[_N]) -> list[_N]:
        """The nodes of some kinds that may be meant, likeliest first."""
        if self.node is None:
            return [n for n in on_line(self.code, self.line) if isinstance(n, kinds)]
        inside = [n for n in ast.walk(self.node) if isinstance(n, kinds)]
        outside = [n for n in self.code.ancestors(self.node) if isinstance(n, kinds)]
        first = [n for n in inside if n is self.node]
        others = [n for n in inside if n is not self.node]
        return first + others + _of_statement(self.code, outside, self.node)

    def exactly(self, kind: type[_N]) -> _N | None:
        """The node that failed, when it is known and of a kind."""
        return self.node if isinstance(self.node, kind) else None


def _of_statement(code: Code, found: list[_N], node: ast.AST) -> list[_N]:
    own = code.statement(node)
    return [n for n in found if n is own or (isinstance(n, ast.expr) and code.statement(n) is own)]


def spots(problem: Problem, knowledge: Knowledge) -> list[Spot]:
    """The places of a problem in the code of the workspace, tests included, the innermost first."""
    ours = [(n, f) for n, f in enumerate(problem.frames) if f.ours and f.line >= 0]
    if not ours:
        found = _reported(problem, knowledge)
        return [found] if found else []
    return [
        spot
        for number, (index, _) in enumerate(reversed(ours))
        if (spot := _spot(problem, index, number, knowledge))
    ]


def _spot(problem: Problem, index: int, number: int, knowledge: Knowledge) -> Spot | None:
    frame = problem.frames[index]
    code = code_at(knowledge, frame.path)
    if code is None:
        return None
    span = frame.span or _marked(code, frame)
    node = None if span is None else covering(code, span)
    entered = next(iter(problem.frames[index + 1 : index + 2]), None)
    return Spot(code, frame.line, node, dict(frame.seen), number, problem.frames[:index], entered)


def _marked(code: Code, frame: Frame) -> Span | None:
    if frame.marks is None or not frame.text:
        return None
    indent = len(code.indent(frame.line))
    start, end = frame.marks
    return Span.of(frame.line, indent + start, frame.line, indent + end)


def _reported(problem: Problem, knowledge: Knowledge) -> Spot | None:
    code = code_at(knowledge, problem.path)
    if code is None or problem.span is None:
        return None
    start, end = problem.span.start, problem.span.end
    is_whole = start.column == 0 and (end == Position(start.line + 1, 0) or end == start)
    node = None if is_whole else covering(code, problem.span)
    return Spot(code, start.line, node)


def covering(code: Code, span: Span) -> ast.AST | None:
    """The smallest node that holds a span; of several with the same place the outermost."""
    start, end = code.offset(span.start), code.offset(span.end)
    best: ast.AST | None = None
    size = len(code.text) + 1
    for node in code.nodes_at(span.start.line):
        if not isinstance(node, ast.expr | ast.stmt | ast.arg | ast.alias | ast.keyword | ast.ExceptHandler):
            continue
        if not node.lineno <= span.start.line + 1 <= (node.end_lineno or node.lineno):
            continue
        at, behind = code.start(node), code.end(node)
        if at <= start and end <= behind and behind - at < size:
            best, size = node, behind - at
    return best


def on_line(code: Code, line: int) -> list[ast.AST]:
    """The nodes of the statements that stand on a line; of compound ones those of the header."""
    found: list[ast.AST] = []
    for node in code.nodes_at(line):
        if isinstance(node, ast.stmt) and _is_at(node, line):
            found.extend(header(node))
    return list(dict.fromkeys(node for node in found if _covers(node, line)))


def _covers(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and last is not None and first <= line + 1 <= last


def _is_at(node: ast.stmt, line: int) -> bool:
    last = node.end_lineno or node.lineno
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        last = max(node.lineno, body[0].lineno - 1)
    return node.lineno <= line + 1 <= last


def header(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement with its expressions, without the statements inside."""
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and (name not in _BODIES or isinstance(child, ast.expr)):
                yield from ast.walk(child)
