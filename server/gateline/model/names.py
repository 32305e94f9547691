"""Names with dots in syntax trees."""

from __future__ import annotations

import ast


def last_name(node: ast.AST) -> str:
    """The last part of a dotted name, also of one that is called; "" for anything else."""
    match node:
        case ast.Call():
            return last_name(node.func)
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
        case _:
            return ""


def dotted(node: ast.AST) -> str:
    """A dotted name as it is written; "" for anything else."""
    match node:
        case ast.Attribute():
            head = dotted(node.value)
            return f"{head}.{node.attr}" if head else ""
        case ast.Name():
            return node.id
        case _:
            return ""
