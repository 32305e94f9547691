"""Whether the failure of a check is caught, so that the check says nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gateline.analysis.trees import is_truth
from gateline.model.names import dotted, last_name

SKIPS = frozenset({"skip", "skipTest", "xfail", "SkipTest", "importorskip"})
"""Calls and errors by which a test gives up."""
_ENDING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesMessage", "RaisesGroup"})
"""Those whose block ends where the error is raised."""
_FAILURES = frozenset({"", "AssertionError", "Exception", "BaseException", "failureException"})
_OF_CODE = frozenset(
    {
        "ValueError",
        "TypeError",
        "KeyError",
        "IndexError",
        "LookupError",
        "AttributeError",
        "NameError",
        "ArithmeticError",
        "ZeroDivisionError",
        "RuntimeError",
        "StopIteration",
        "RecursionError",
        "UnicodeError",
    }
)
"""Errors of code that is wrong; what is missing on a machine raises others."""


def catches_failures(manager: ast.expr) -> bool:
    """Whether a context manager keeps a failed assertion from the test."""
    if not isinstance(manager, ast.Call):
        return False
    name = last_name(manager)
    kinds = [one for a in manager.args for one in (a.elts if isinstance(a, ast.Tuple) else [a])]
    caught = {last_name(kind) for kind in kinds}
    if name in ("suppress", "raises", "assertRaises"):
        return bool(caught & (_FAILURES - {""}))
    return False


def swallows_failures(handler: ast.ExceptHandler) -> bool:
    """Whether an `except` keeps a failed assertion from the test."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    caught = {last_name(kind) if kind is not None else "" for kind in kinds}
    if not caught & _FAILURES:
        return False
    return not any(map(is_failing, (n for s in handler.body for n in ast.walk(s))))


def wants_error(node: ast.Try | ast.TryStar, handler: ast.ExceptHandler) -> bool:
    """Whether a test fails unless the error is raised: the way of tests that know no `raises`."""
    fails = [block[-1] for block in (node.body, node.orelse) if block and is_failing(block[-1])]
    return bool(fails) and not hides_failures(handler, [], leaving=True)


def hides_failures(handler: ast.ExceptHandler, body: list[ast.stmt], *, leaving: bool) -> bool:
    """Whether an `except` is where a test gives up because its code failed, not because something is missing.

    `leaving`: by a `return`, which old tests do where the error is what they expect.
    """
    if body and all(isinstance(node, ast.Import | ast.ImportFrom) for node in body):
        return False
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    caught = {last_name(kind) if kind is not None else "" for kind in kinds}
    return bool(caught & (_FAILURES if leaving else _FAILURES | _OF_CODE))


def is_failing(node: ast.AST) -> bool:
    """Whether a statement makes the test fail."""
    match node:
        case ast.Raise(exc=None):
            return True
        case ast.Raise(exc=exc):
            return last_name(exc or node) not in SKIPS
        case ast.Assert(test=test):
            return not is_truth(test, of=True)
        case ast.Expr(value=ast.Call() as call):
            return last_name(call) == "fail" or dotted(call.func).startswith(("self.assert", "self.fail"))
        case _:
            return False


def before_error(body: list[ast.stmt], managers: Iterable[ast.expr]) -> list[ast.stmt]:
    """A block as far as it is reached: where an error is to end it, without the assertions at its end."""
    if not any(last_name(manager) in _ENDING for manager in managers):
        return body
    last = max((n for n, node in enumerate(body) if not isinstance(node, ast.Assert)), default=len(body) - 1)
    return body[: last + 1]
