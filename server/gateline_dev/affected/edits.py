"""Random edits of functions: harmless ones, seeded regressions, and whatever else somebody types."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SWAPS = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


@dataclass(frozen=True)
class Edit:
    """A file with another text."""

    path: str
    text: str
    what: str
    """For people: the function, and what was done."""


def harmless(path: str, text: str, dice: Random) -> Edit | None:
    """A statement more in the body of a function; None when nothing could be edited."""
    places = [node for node in _functions(text) if _first(node).lineno > node.lineno]
    if not places:
        return None
    node = dice.choice(places)
    statement, lines = _first(node), text.splitlines(keepends=True)
    added = f"{' ' * statement.col_offset}edited = {dice.randrange(10**6)}\n"
    lines.insert(statement.lineno - 1, added)
    return _parsing(path, "".join(lines), f"{node.name}: a statement more")


def regression(path: str, text: str, dice: Random) -> Edit | None:
    """A small mistake in the body of a function: a comparison turned round, a result lost."""
    nodes = [node for function in _functions(text) for part in function.body for node in ast.walk(part)]
    places = [node for node in nodes if _mistake(node) is not None]
    if not places:
        return None
    node = dice.choice(places)
    mistake = _mistake(node)
    assert mistake is not None and isinstance(node, ast.stmt | ast.expr)
    return _parsing(path, _replaced(text, node, mistake), f"line {node.lineno}: {mistake}")


def anything(path: str, text: str, dice: Random) -> Edit | None:
    """What somebody may type: in bodies, at the top of the file, comments, blank lines."""
    ways: list[Callable[[str, str, Random], Edit | None]] = [harmless, regression, _top, _comment, _removed]
    return dice.choice(ways)(path, text, dice)


def _top(path: str, text: str, dice: Random) -> Edit | None:
    return _parsing(path, f"{text.rstrip()}\n\n\nEDITED = {dice.randrange(10**6)}\n", "a statement at import")


def _comment(path: str, text: str, dice: Random) -> Edit | None:
    lines = text.splitlines(keepends=True)
    lines.insert(dice.randrange(len(lines) + 1), "# edited\n")
    return _parsing(path, "".join(lines), "a comment")


def _removed(path: str, text: str, dice: Random) -> Edit | None:
    """A statement of a body becomes `pass`."""
    simple = [
        s for f in _functions(text) for s in f.body if not isinstance(s, ast.FunctionDef | ast.ClassDef)
    ]
    if not simple:
        return None
    node = dice.choice(simple)
    return _parsing(path, _replaced(text, node, "pass"), f"line {node.lineno}: a statement less")


def _functions(text: str) -> list[_Function]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, _Function)]


def _first(node: _Function) -> ast.stmt:
    """The first statement behind the docstring, if there is one."""
    return node.body[1] if len(node.body) > 1 and ast.get_docstring(node) is not None else node.body[0]


def _mistake(node: ast.AST) -> str | None:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _SWAPS:
            return f"{ast.unparse(left)} {_SWAPS[type(operator)]} {ast.unparse(right)}"
        case ast.Return(value=ast.expr()):
            return "return None"
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return str(number + 1)
    return None


def _replaced(text: str, node: ast.stmt | ast.expr, new: str) -> str:
    """The text with another source for a node; its columns are bytes."""
    lines = text.splitlines(keepends=True)
    assert node.end_lineno is not None and node.end_col_offset is not None
    head = lines[node.lineno - 1].encode()[: node.col_offset].decode()
    tail = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
    return "".join([*lines[: node.lineno - 1], head, new, tail, *lines[node.end_lineno :]])


def _parsing(path: str, text: str, what: str) -> Edit | None:
    try:
        ast.parse(text)
    except SyntaxError:
        return None
    return Edit(path, text, f"{path}, {what}")
