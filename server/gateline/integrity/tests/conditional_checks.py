"""What a check is worth that is only made under a condition, and where conditions hide."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gateline.integrity.tests.check import PARTIAL, VACUOUS, Check, check
from gateline.integrity.tests.conditions import is_about_environment, is_by_request
from gateline.integrity.tests.parameters import rows_of


def under(condition: ast.expr | None, checks: Iterable[Check]) -> list[Check]:
    """The checks as they count under a condition: wholly where it asks about the machine, else in part."""
    if condition is not None and is_by_request(condition):
        # Who only runs the tests does not ask for it.
        return [_at_most(VACUOUS, made) for made in checks]
    if condition is None or is_about_environment(condition):
        return list(checks)
    return [_at_most(PARTIAL, made) for made in checks]


def _at_most(strength: int, made: Check) -> Check:
    return check(made.subject, made.relation, made.expected, min(made.strength, strength), made.node)


def passing_over(node: ast.stmt) -> ast.expr | None:
    """The condition under which a statement passes over the rest of a loop's body."""
    match node:
        case ast.If(test=test, body=[*_, ast.Continue()], orelse=[]):
            return test
        case _:
            return None


def or_nothing(iterated: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The condition on which there is something to go through, and what: `rows if found else []`."""
    match iterated:
        case ast.IfExp(test=test, body=some, orelse=other) if rows_of(other) == []:
            return test, some
        case ast.IfExp(test=test, body=other, orelse=some) if rows_of(other) == []:
            return ast.UnaryOp(ast.Not(), test), some
        case _:
            return None
