"""Files that a test writes itself and then reads: what it reads is what it wrote, and proves nothing."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gateline.analysis.trees import text_of
from gateline.model.names import last_name

_WRITING = frozenset({"write_text", "write_bytes", "write"})
_READING = frozenset({"read_text", "read_bytes", "read"})


def written_by(call: ast.Call) -> tuple[str, ast.expr] | None:
    """The path that a call writes, and what it writes there; None of any other call."""
    match call:
        case ast.Call(func=ast.Attribute(value=file, attr=name), args=[content, *_]) if name in _WRITING:
            path = _path(file) if name == "write" else file
        case ast.Call(args=[content, file, *_]) if last_name(call) == "dump":
            path, content = _path(file), ast.Call(ast.Name("dumps", ast.Load()), [content], [])
        case _:
            return None
    return None if path is None else (text_of(path), content)


def _path(file: ast.expr) -> ast.expr | None:
    """What is opened: `x` in `open(x, "w")` and in `x.open("w")`."""
    match file:
        case ast.Call(func=ast.Name(id="open"), args=[path, *_]):
            return path
        case ast.Call(func=ast.Attribute(value=path, attr="open")):
            return path
        case _:
            return None


class ReadBack(ast.NodeTransformer):
    """Puts what was written in the place of what is read."""

    def __init__(self, written: Mapping[str, ast.expr]) -> None:
        self._written = written

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call that reads a file or a text in JSON."""
        found = self._read(node)
        if found is not None:
            return found
        self.generic_visit(node)
        match node:
            case ast.Call(args=[ast.Call(args=[content, *_]) as text, *_]) if (
                last_name(node) == "loads" and last_name(text) == "dumps"
            ):
                return content
            case _:
                return node

    def _read(self, node: ast.Call) -> ast.expr | None:
        match node:
            case ast.Call(func=ast.Attribute(value=file, attr=name)) if name in _READING:
                path = _path(file) if name == "read" else file
                return None if path is None else self._written.get(text_of(path))
            case ast.Call(args=[file, *_]) if last_name(node) == "load":
                found = self._written.get(text_of(path)) if (path := _path(file)) is not None else None
                return found.args[0] if isinstance(found, ast.Call) and last_name(found) == "dumps" else None
            case _:
                return None
