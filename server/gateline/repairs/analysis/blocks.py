"""Blocks of statements: which stand together, and how they are set further in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Edit
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.scopes import stores

LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
"""Statements behind which the same block goes no further."""
_AROUND = (ast.Try, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def body_of(code: Code, statement: ast.stmt) -> list[ast.stmt] | None:
    """The block in which a statement stands."""
    parent = code.parent(statement)
    for name in ("body", "orelse", "finalbody"):
        body = getattr(parent, name, None)
        if isinstance(body, list) and statement in body:
            return body
    return None


def holders(code: Code, statement: ast.stmt, name: str) -> Iterator[ast.stmt]:
    """The statement, and what it is tried or repeated in, up to where a name gets its value."""
    yield statement
    root = name.partition(".")[0]
    for outer in code.ancestors(statement):
        if isinstance(outer, (*_FUNCTIONS, ast.ClassDef, ast.Module)) or stores(ast.walk(outer), root):
            return
        if isinstance(outer, _AROUND):
            yield outer


def reach(body: list[ast.stmt], first: int, name: str) -> list[int]:
    """How many statements may belong into the block: up to each that uses the value or what it gave."""
    found, names = [1], {name, *_stored(body[first])}
    for number in range(first + 1, len(body)):
        used = {ast.unparse(n) for n in ast.walk(body[number]) if isinstance(n, ast.Name | ast.Attribute)}
        if not used & names or isinstance(body[number], ast.Return):
            break
        names |= _stored(body[number])
        found.append(number - first + 1)
    return found


def last_use(body: list[ast.stmt], first: int, name: str) -> int:
    """How many statements there are up to the last that uses the value, or what came of it."""
    names, last = {name, *_stored(body[first])}, first
    for number in range(first + 1, len(body)):
        used = {ast.unparse(n) for n in ast.walk(body[number]) if isinstance(n, ast.Name | ast.Attribute)}
        last = number if used & names else last
    return last - first + 1


def until_stored(body: list[ast.stmt], first: int, name: str) -> int:
    """How many statements come before the name gets another value; as far as the block goes without one."""
    root = name.partition(".")[0]
    later = (n for n in range(first + 1, len(body)) if root in _stored(body[n]))
    return next(later, len(body)) - first


def _stored(statement: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def indented(code: Code, block: list[ast.stmt], head: str) -> list[Edit]:
    """A block with a head before it, one step further in."""
    first, last = block[0].lineno - 1, (block[-1].end_lineno or block[-1].lineno) - 1
    indent = code.indent(first)
    start = code.line_start(first)
    edits = [code.edit(start, start, f"{indent}{head}{code.newline}{code.unit}")]
    strings = {n for s in block for n in _inside_strings(s)}
    for line in range(first + 1, last + 1):
        if code.source.line(line).strip() and line not in strings:
            at = code.line_start(line)
            edits.append(code.edit(at, at, code.unit))
    return edits


def _inside_strings(statement: ast.stmt) -> set[int]:
    """The lines that begin inside of a string: white space there is part of it."""
    found: set[int] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno:
            is_text = isinstance(node, ast.JoinedStr) or isinstance(node.value, str | bytes)
            found.update(range(node.lineno, node.end_lineno) if is_text else ())
    return found


def before(code: Code, statement: ast.stmt) -> Iterator[ast.stmt]:
    """What stands before a statement in its function, in its block and those around, the nearest first."""
    at: ast.AST | None = statement
    while isinstance(at, ast.stmt) and not isinstance(at, (*_FUNCTIONS, ast.ClassDef)):
        body = body_of(code, at) or []
        yield from reversed(body[: body.index(at)] if at in body else [])
        at = code.parent(at)


def tests_above(code: Code, node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST | None]]:
    """The conditions of the branches in which a node stands, innermost first, with the other branch."""
    inner = node
    for outer in code.ancestors(node):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return
        if isinstance(outer, ast.If) and inner in outer.body:
            yield outer.test, outer.orelse[0] if outer.orelse else None
        elif isinstance(outer, ast.IfExp) and inner is outer.body:
            yield outer.test, outer.orelse
        inner = outer


def uses_it(statement: ast.stmt, name: str) -> bool:
    """Whether a plain line uses a value, and does not give the name another one."""
    is_plain = isinstance(statement, ast.Assign | ast.Expr | ast.AugAssign)
    return (
        is_plain
        and name.partition(".")[0] not in _stored(statement)
        and any(dotted(n) == name for n in ast.walk(statement))
    )
