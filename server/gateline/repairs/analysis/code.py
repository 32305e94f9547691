"""A text that parses, with the places of its nodes: ready to be looked at, and to be edited."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeGuard, TypeVar

from gateline.model import Document, Edit, Position, Source, Span
from gateline.repairs.edits import edit_at, line_starts, offset_of, position_at

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_N = TypeVar("_N", bound=ast.AST)


@dataclass(frozen=True)
class Code:
    """A text, its tree and its nodes by place. Offsets are in characters of the text."""

    source: Source
    tree: ast.Module

    @property
    def path(self) -> str:
        """The path of the text."""
        return self.source.path

    @property
    def text(self) -> str:
        """The text itself."""
        return self.source.text

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line."""
        return line_starts(self.text)

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes, outer ones first."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def functions(self) -> Mapping[str, Sequence[Function]]:
        """All functions and methods by name."""
        found: dict[str, list[Function]] = {}
        for node in self.nodes:
            if isinstance(node, Function):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def stored_attributes(self) -> Mapping[str, Sequence[ast.Attribute]]:
        """The attributes that are given a value, by name."""
        found: dict[str, list[ast.Attribute]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.setdefault(node.attr, []).append(node)
        return found

    @cached_property
    def asked_attributes(self) -> frozenset[str]:
        """The attributes that are read of anything."""
        return frozenset(
            n.attr for n in self.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)
        )

    def nodes_at(self, line: int) -> tuple[ast.AST, ...]:
        """The nodes of the statements that reach over a zero-based line, outer ones first."""
        if line not in self._at:
            self._at[line] = tuple(_reaching(self.tree, line + 1))
        return self._at[line]

    @cached_property
    def _at(self) -> dict[int, tuple[ast.AST, ...]]:
        return {}

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that holds `node`; None for the module."""
        return self._parents.get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What holds `node`, innermost first."""
        at = self._parents.get(node)
        while at is not None:
            yield at
            at = self._parents.get(at)

    def around(self, node: ast.AST, kind: type[_N]) -> _N | None:
        """The innermost node of a kind that holds `node`, or is it."""
        if isinstance(node, kind):
            return node
        return next((a for a in self.ancestors(node) if isinstance(a, kind)), None)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that a node belongs to, itself included."""
        return self.around(node, ast.stmt)

    def scope(self, node: ast.AST) -> Scope:
        """The module, class or function in which a node is evaluated."""
        inner: ast.AST = node
        for outer in self.ancestors(node):
            if isinstance(outer, _SCOPES) and _is_inside(inner, outer, node):
                return outer
            inner = outer
        return self.tree

    def function(self, node: ast.AST) -> Function | None:
        """The function in whose body a node is, without lambdas."""
        at: ast.AST = node
        while not isinstance(at, ast.Module):
            at = self.scope(at)
            if isinstance(at, Function):
                return at
        return None

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class in whose body, or in a method of which, a node is."""
        return next((a for a in self.ancestors(node) if isinstance(a, ast.ClassDef)), None)

    def start(self, node: ast.AST) -> int:
        """The offset at which a node begins, decorators not counted."""
        return self._offset(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))

    def end(self, node: ast.AST) -> int:
        """The offset behind a node."""
        line, column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
        return self._offset(line or 1, column or 0)

    def segment(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def is_trailing(self, node: ast.AST) -> TypeGuard[ast.Tuple]:
        """Whether it is a value with a comma behind it and no brackets around: nobody writes a tuple so."""
        return isinstance(node, ast.Tuple) and len(node.elts) == 1 and self.segment(node).endswith(",")

    def span(self, node: ast.AST) -> Span:
        """The place of a node."""
        return Span(position_at(self.starts, self.start(node)), position_at(self.starts, self.end(node)))

    def offset(self, place: Position) -> int:
        """The offset of a place."""
        return offset_of(self.starts, place)

    def line_of(self, offset: int) -> int:
        """The zero-based line of an offset."""
        return position_at(self.starts, offset).line

    def line_start(self, line: int) -> int:
        """The offset of zero-based `line`; the end of the text behind the last."""
        return self.starts[min(max(line, 0), len(self.starts) - 1)]

    def indent(self, line: int) -> str:
        """The white space before the text of a line."""
        text = self.source.line(line)
        return text[: len(text) - len(text.lstrip())]

    def edit(self, start: int, end: int, text: str) -> Edit:
        """The characters from `start` to `end` become `text`."""
        return edit_at(self.path, self.starts, start, end, text)

    def replace(self, node: ast.AST, text: str) -> Edit:
        """The text of a node becomes another."""
        return self.edit(self.start(node), self.end(node), text)

    def wrap(self, node: ast.AST, before: str, after: str) -> tuple[Edit, ...]:
        """Text is put around a node."""
        start, end = self.start(node), self.end(node)
        return (self.edit(start, start, before), self.edit(end, end, after))

    @cached_property
    def unit(self) -> str:
        """One step of indentation, as the text has it."""
        for node in self.nodes:
            body = getattr(node, "body", None)
            if isinstance(node, ast.stmt) and isinstance(body, list) and body[0].lineno > node.lineno:
                inner, outer = self.indent(body[0].lineno - 1), self.indent(node.lineno - 1)
                if len(inner) > len(outer) and inner.startswith(outer):
                    return inner[len(outer) :]
        return "    "

    @cached_property
    def newline(self) -> str:
        """How lines end here."""
        return "\r\n" if "\r\n" in self.text else "\n"

    def _offset(self, line: int, byte_column: int) -> int:
        return self.offset(self.source.position(line, byte_column))


def _reaching(tree: ast.Module, line: int) -> Iterator[ast.AST]:
    """As `ast.walk`, without the statements that a line is no part of."""
    waiting: deque[ast.AST] = deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        waiting.extend(child for child in ast.iter_child_nodes(node) if _reaches(child, line))


def _reaches(node: ast.AST, line: int) -> bool:
    if not isinstance(node, ast.stmt):
        return True
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return first <= line <= (node.end_lineno or node.lineno)


@lru_cache(maxsize=24)
def code_of(path: str, text: str) -> Code | None:
    """The text as code; None when it does not parse. Remembered: every family asks for the same one."""
    source = Source(Document(path, text))
    return None if source.tree is None else Code(source, source.tree)


def is_none(node: ast.AST | None) -> bool:
    """Whether an expression is `None` itself."""
    return isinstance(node, ast.Constant) and node.value is None


def is_docstring(function: Function, node: ast.stmt) -> bool:
    """Whether a statement is the docstring of a function."""
    value = node.value if isinstance(node, ast.Expr) and node is function.body[0] else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def first_statement(function: Function) -> ast.stmt:
    """The first statement that is no docstring; the docstring where there is nothing else."""
    return next((node for node in function.body if not is_docstring(function, node)), function.body[0])


def walk_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes evaluated in a scope, in the order of the text; functions and classes inside are left out."""
    return iter(_walked(scope))


@lru_cache(maxsize=64)
def _walked(scope: ast.AST) -> tuple[ast.AST, ...]:
    waiting: list[ast.AST] = list(reversed(_inside(scope)))
    found: list[ast.AST] = []
    while waiting:
        node = waiting.pop()
        found.append(node)
        if isinstance(node, _SCOPES):
            waiting.extend(reversed(_outside(node)))
        else:
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))
    return tuple(found)


def _inside(scope: ast.AST) -> Sequence[ast.AST]:
    if isinstance(scope, ast.Lambda):
        return [scope.args, scope.body]
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*_parameters(scope.args), *scope.body]
    return list(getattr(scope, "body", []))


def _parameters(args: ast.arguments) -> list[ast.arg]:
    star = [a for a in (args.vararg, args.kwarg) if a]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *star]


def _outside(node: ast.AST) -> list[ast.AST]:
    """What of a function or class is evaluated in the scope around it."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]
    args: ast.arguments = node.args  # type: ignore[attr-defined]
    defaults = [d for d in (*args.defaults, *args.kw_defaults) if d is not None]
    if isinstance(node, ast.Lambda):
        return [*defaults]
    notes = [a.annotation for a in _parameters(args) if a.annotation]
    returns: list[ast.AST] = [node.returns] if isinstance(node, Function) and node.returns else []
    decorators: list[ast.AST] = list(getattr(node, "decorator_list", []))
    return [*decorators, *defaults, *notes, *returns]


def _is_inside(inner: ast.AST, outer: Scope, node: ast.AST) -> bool:
    """Whether `node`, held by the child `inner`, is evaluated in `outer`: defaults and decorators are not."""
    if isinstance(inner, ast.arguments):
        return isinstance(node, ast.arg)
    body = outer.body
    return inner is body if isinstance(body, ast.expr) else inner in body


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """All parameters, in the order in which they are called."""
    args = function.args
    star, kwargs = ([args.vararg] if args.vararg else []), ([args.kwarg] if args.kwarg else [])
    return [*args.posonlyargs, *args.args, *star, *args.kwonlyargs, *kwargs]
