"""What the bodies of functions come to: real work, or a placeholder of some kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.normalised_body import said_plainly
from gateline.analysis.trees import is_value, walk
from gateline.integrity.product.todo_markers import is_bare, says_later
from gateline.model.names import last_name

_SHORT = 4
"""Statements of a body that may be a placeholder's."""
_TELLING = frozenset({"print", "warn", "warning", "info", "debug", "log"})
_TELLS = re.compile(r"tell|print|say|log|warn|show|report|echo|trace|debug|progress|usage|banner|dump")
"""Names of functions that are to tell something."""


@dataclass(frozen=True, slots=True)
class Body:
    """A function with what its body comes to: `pass`, `not implemented`, `constant`, or "" for real work."""

    node: Function
    owner: ast.ClassDef | None
    nested: bool
    kind: str
    later: bool
    """Whether it says that the work is still to be done."""
    undone: bool = False
    """Whether that is all it says of it: not that something may be done better."""

    @property
    def documented(self) -> str:
        """What it says it does."""
        return ast.get_docstring(self.node) or ""


def bodies(module: Module) -> Mapping[str, Body]:
    """The functions of a module by qualified name."""
    scopes = dict(module.source.scopes)
    found = {}
    for name, node in module.source.scopes:
        if isinstance(node, Function):
            owner = scopes.get(name.rpartition(".")[0])
            later = len(_left(node, later=True)) < _SHORT and says_later(node, module)
            found[name] = Body(
                node,
                owner if isinstance(owner, ast.ClassDef) else None,
                isinstance(owner, Function),
                "" if _is_to_tell(node) else kind_of(node, later=later),
                later,
                later and is_bare(node, module),
            )
    return found


def _left(node: Function, *, later: bool) -> list[ast.stmt]:
    """What a body does beside telling; where it says it is unfinished, without values that nobody reads."""
    # What is only told or deleted is no work: the rest may be less than it looks.
    body = [s for s in without_docstring(node) if not does_nothing(s)]
    if not later:
        return body
    read = {n.id for s in body for n in walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return [s for s in body if not _is_unread(s, read)]


def _is_unread(node: ast.stmt, read: set[str]) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name not in read
        case _:
            return False


def kind_of(node: Function, *, later: bool) -> str:
    """The kind of a body; `later` when it says that the work is still to be done."""
    match said_plainly(_left(node, later=later)) or [ast.Pass()][: len(without_docstring(node))]:
        case []:
            return "docstring"
        case [ast.Pass()]:
            return "pass"
        case [ast.Expr(value=ast.Constant(value=value))] if value is ...:
            return "..."
        case [ast.Raise(exc=ast.expr() as exc)] if last_name(exc) == "NotImplementedError":
            return "not implemented"
        case [ast.Return(value=value)] if value is None or is_value(value):
            return "constant" if later or node.args.args else ""
        case [ast.Raise()] if later:
            return "not implemented"
        case [ast.Return(value=ast.expr() as value)] if later:
            return _kind_of_result(value, node)
        case _:
            return ""


def _kind_of_result(value: ast.expr, node: Function) -> str:
    match value:
        case _ if _is_of_argument(value, node):
            return "argument"
        case ast.Call(args=[given], keywords=[]) if _is_of_argument(given, node):
            return "handed on"
        case ast.JoinedStr(values=values) if all(_is_handed_in(part, node) for part in values):
            return "handed on"
        case _:
            return ""


def does_nothing(node: ast.stmt) -> bool:
    """Whether a statement only tells something, or drops what was given."""
    match node:
        case (
            ast.Delete()
            | ast.Assign(targets=[ast.Name(id="_")], value=ast.Name() | ast.Tuple() | ast.Constant())
        ):
            return True
        case _:
            return _tells(node)


def _is_to_tell(node: Function) -> bool:
    """Whether a function is there to print or log something, and does so."""
    body = without_docstring(node)
    return bool(body) and all(map(_tells, body)) and _TELLS.search(node.name) is not None


def _tells(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call() as call):
            return last_name(call) in _TELLING
        case _:
            return False


def _is_of_argument(value: ast.expr, node: Function) -> bool:
    """Whether a value is an argument, or a part of one at a fixed place."""
    while isinstance(value, ast.Attribute | ast.Subscript | ast.List | ast.Tuple):
        value = value.value if isinstance(value, ast.Attribute | ast.Subscript) else _only(value.elts)
    return isinstance(value, ast.Name) and value.id in (a.arg for a in node.args.args)


def _is_handed_in(part: ast.expr, node: Function) -> bool:
    """Whether a part of a text is fixed, or only an argument."""
    return isinstance(part, ast.Constant) or (
        isinstance(part, ast.FormattedValue) and _is_of_argument(part.value, node)
    )


def _only(items: list[ast.expr]) -> ast.expr:
    return items[0] if len(items) == 1 else ast.Constant(None)
