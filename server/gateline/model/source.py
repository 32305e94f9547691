"""A document with what is derived from its text, each computed at most once."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model.document import Document
from gateline.model.span import Position, Span

_BYTE_ORDER_MARK = "\ufeff"
_NAME = re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its text with the leading `#`, and where it stands."""

    span: Span
    text: str


@dataclass(frozen=True)
class Source:
    """A document, its syntax tree, its tokens and its comments. Broken text has no tree."""

    document: Document

    @property
    def path(self) -> str:
        """The document's path."""
        return self.document.path

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    @cached_property
    def code(self) -> str:
        """The text as Python reads it: a leading byte order mark is `unmarked`."""
        return unmarked(self.text)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends."""
        return self.document.lines

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None when the text does not parse."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return ast.parse(self.code)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return None

    @cached_property
    def tokens(self) -> tuple[tokenize.TokenInfo, ...]:
        """The tokens up to the first place that is not one."""
        found: list[tokenize.TokenInfo] = []
        with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):
            # Without `newline`, a lone carriage return would end no line.
            found.extend(tokenize.generate_tokens(io.StringIO(self.code, newline=None).readline))
        return tuple(found)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """The comments, in order."""
        return tuple(
            Comment(Span.of(t.start[0] - 1, t.start[1], t.end[0] - 1, t.end[1]), t.string)
            for t in self.tokens
            if t.type == tokenize.COMMENT
        )

    @cached_property
    def scopes(self) -> tuple[tuple[str, Scope], ...]:
        """Every function and class with its qualified name (`Class.method`, `outer.inner`)."""
        return () if self.tree is None else tuple(_scopes(self.tree))

    def symbol_at(self, line: int) -> str:
        """The qualified name of the innermost function or class around zero-based `line`, or ""."""
        inside = [
            (node.lineno, name) for name, node in self.scopes if _first(node) <= line + 1 <= _last(node)
        ]
        return max(inside)[1] if inside else ""

    def scope_text(self, scope: Scope) -> str:
        """The lines of a function or class: where they are the same, so is its tree."""
        return "".join(self.lines[_first(scope) - 1 : _last(scope)])

    def name_span(self, scope: Scope) -> Span:
        """Where the name of a function or class stands; its whole line, when it is not on the first."""
        start = self.position(scope.lineno, scope.col_offset)
        text = self.line(start.line)
        if name := _NAME.match(text, start.column):
            return Span.of(start.line, name.start(1), start.line, name.end(1))
        return Span.of_line(start.line, text)

    def line(self, number: int) -> str:
        """The text of zero-based line `number` without its end; "" outside the text."""
        return self.lines[number].rstrip("\r\n") if 0 <= number < len(self.lines) else ""

    def position(self, line: int, byte_column: int) -> Position:
        """From the compiler's units (one-based line, column in UTF-8 bytes) to ours."""
        text = unmarked(self.line(0)) if line == 1 else self.line(line - 1)
        if not text.isascii():
            byte_column = len(text.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "ignore"))
        return Position(line - 1, min(byte_column, len(text)))


def unmarked(text: str) -> str:
    """The text with a form feed in place of a leading byte order mark.

    Python skips both at the start of a text, and the form feed keeps every column where it is.
    """
    return "\f" + text[1:] if text.startswith(_BYTE_ORDER_MARK) else text


def _scopes(tree: ast.Module) -> Iterator[tuple[str, Scope]]:
    # Not recursive: thousands of `elif` nest as deeply as they are many.
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, _SCOPES):
            name = f"{prefix}{node.name}"
            yield name, node
            prefix = f"{name}."
        inner = [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.expr)]
        waiting.extend((n, prefix) for n in reversed(inner))


def _first(node: Scope) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _last(node: Scope) -> int:
    return node.end_lineno or node.lineno
