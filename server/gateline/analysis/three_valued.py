"""Conditions of which a part may not be known: `not`, `and` and `or` over yes, no and perhaps."""

from __future__ import annotations

import ast
from collections.abc import Callable


def truth(test: ast.expr, known: Callable[[ast.expr], bool | None]) -> bool | None:
    """Whether a condition holds; `known` tells it of its parts, None where nobody knows (Kleene's logic)."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            held = truth(operand, known)
            return None if held is None else not held
        case ast.BoolOp(op=op, values=values):
            told = [truth(value, known) for value in values]
            decisive = isinstance(op, ast.Or)
            return decisive if decisive in told else None if None in told else not decisive
    return known(test)
