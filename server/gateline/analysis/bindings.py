"""What assignments and loops make of names: the expressions that they stand for from then on."""

from __future__ import annotations

import ast

from gateline.analysis.mutated_names import as_grown
from gateline.analysis.trees import is_literal, is_short, written
from gateline.model.names import dotted


def bind(
    target: ast.expr, value: ast.expr, known: dict[str, ast.expr], growing: frozenset[str] = frozenset()
) -> None:
    """Note in `known` what a target stands for from now on; what cannot be told is forgotten.

    Of a name that is `growing` only what it began with is known.
    """
    match target:
        case ast.Name() | ast.Attribute():
            known.pop(name := written(target), None)
            if name and is_short(value) and not _is_patch(value):
                known[name] = as_grown(value) if name in growing and is_literal(value) else value
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
                for one, part in zip(targets, value.elts, strict=True):
                    bind(one, part, known, growing)
            else:
                for place, one in enumerate(targets):
                    bind(one, ast.Subscript(value, ast.Constant(place), ast.Load()), known)
        case _:
            return


def _is_patch(value: ast.expr) -> bool:
    """Whether something is the stand-in that a patch makes: it keeps the name it is given."""
    return isinstance(value, ast.Call) and "patch" in dotted(value.func).split(".")


def bound_names(node: ast.For | ast.AsyncFor) -> set[str]:
    """The names that a loop gives values to."""
    return {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
