"""What no runner collects any more, because it was taken back after it was defined."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gateline.model.names import dotted

_TABLES = ("globals", "vars", "locals")


def taken_back(body: Sequence[ast.stmt]) -> set[str]:
    """Names that are deleted, overwritten or marked as no tests after they were defined."""
    found: set[str] = set()
    for node in body:
        match node:
            case ast.Delete(targets=targets):
                found |= {_deleted(target) for target in targets}
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("test"):
                found.add(name)
            case ast.Assign(
                targets=[ast.Attribute(attr="__test__", value=value)], value=ast.Constant(value=False)
            ):
                found.add(dotted(value))
            case ast.Assign(targets=[ast.Attribute(attr=name) as target]) if name.startswith("test"):
                found.add(dotted(target))
            case ast.Expr(value=ast.Call(args=[owner, ast.Constant(value=str() as name), *_]) as call) if (
                dotted(call.func) in ("delattr", "setattr")
            ):
                found.add(f"{dotted(owner)}.{name}")
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Call(func=ast.Name(id="globals")), attr="pop"),
                    args=[ast.Constant(value=str() as name), *_],
                )
            ):
                found.add(name)
    return found


def _deleted(target: ast.expr) -> str:
    """The name that is deleted, also from the table of all names."""
    match target:
        case ast.Subscript(value=ast.Call() as table, slice=ast.Constant(value=str() as name)):
            return name if dotted(table.func) in _TABLES else ""
        case _:
            return dotted(target)
