"""How far away from what a test expects something may be, in whichever way that is written."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gateline.analysis.trees import text_of
from gateline.model.names import last_name

_PLACES = ("places", "", "abs")
_NEAR: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "approx": (1, ("rel", "abs")),
    "isclose": (2, ("rel", "abs")),
    "allclose": (2, ("rel", "abs")),
    "assert_allclose": (2, ("rel", "abs")),
    "assertAlmostEqual": (2, _PLACES),
    "assertNotAlmostEqual": (2, _PLACES),
}
"""What compares with a tolerance: how many arguments it has before that, and the kinds of those behind."""
_KINDS = {
    "rel": "rel",
    "rtol": "rel",
    "rel_tol": "rel",
    "abs": "abs",
    "atol": "abs",
    "abs_tol": "abs",
    "delta": "abs",
    "places": "places",
}
"""The kind of tolerance that a keyword gives."""


def tolerance(call: ast.Call) -> dict[str, ast.expr]:
    """The tolerances that a call names, by kind: `rel`ative, `abs`olute, or in `places` behind the point."""
    before, kinds = _NEAR.get(last_name(call), (len(call.args), ()))
    given = {kind: value for kind, value in zip(kinds, call.args[before:], strict=False) if kind}
    return given | {_KINDS[k.arg]: k.value for k in call.keywords if k.arg in _KINDS}


def is_closer(before: ast.AST, after: ast.AST) -> bool:
    """Whether both compare within tolerances of the same kinds, of which none is wider than it was."""
    old, new = ([tolerance(call) for call in _comparisons(side)] for side in (before, after))
    return any(old) and len(old) == len(new) and all(map(_is_within, new, old))


def _comparisons(node: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Call) and last_name(n) in _NEAR]


def _is_within(new: Mapping[str, ast.expr], old: Mapping[str, ast.expr]) -> bool:
    return new.keys() == old.keys() and all(_is_narrower(kind, new[kind], old[kind]) for kind in new)


def _is_narrower(kind: str, new: ast.expr, old: ast.expr) -> bool:
    away, before = number(new), number(old)
    if away is None or before is None:
        return text_of(new) == text_of(old)
    return away >= before if kind == "places" else 0 <= away <= before


def number(node: ast.expr | None) -> float | None:
    """The number that is written there; None of anything else."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -float(value)
        case _:
            return None
