"""Methods and functions that change what they are given, and return None."""

from __future__ import annotations

import ast

IN_PLACE = frozenset(
    {"append", "appendleft", "extend", "extendleft", "insert", "add", "update", "sort", "reverse", "clear"}
    | {"remove", "discard", "subtract", "move_to_end", "shuffle", "heapify", "heappush"}
    | {"difference_update", "intersection_update", "symmetric_difference_update"}
)


def changed_by(node: ast.AST) -> ast.expr | None:
    """What a call of one of them changes; None for any other expression."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in IN_PLACE:
        return node.func.value
    return None
