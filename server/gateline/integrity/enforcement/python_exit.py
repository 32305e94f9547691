"""Parts of a script in Python whose failure fails nothing, or that run only where somebody asks for more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gateline.analysis.modules import Function
from gateline.analysis.three_valued import truth
from gateline.analysis.trees import constants, names
from gateline.model.names import last_name

_ENDING = frozenset({"error", "exit", "_exit", "fail", "abort"})
_ASKED = frozenset({"posargs", "environ", "getenv"})
"""What a person gives who starts it."""
_AUTOMATIC = frozenset({"'CI'", "'GITHUB_ACTIONS'", "'GITLAB_CI'"})
"""Variables that servers set by themselves."""


def forgiven(tree: ast.AST) -> Iterator[ast.AST]:
    """What stands where an error is caught and fails nothing, or where nobody comes who does not ask."""
    for node in ast.walk(tree):
        match node:
            case ast.Try(handlers=[_, *_] as handlers, body=body) if not any(map(_fails, handlers)):
                yield from _inside(body)
            case ast.Try(finalbody=[*_, ast.Return()], body=body):
                yield from _inside(body)
            case ast.If():
                yield from _inside(_left_out(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _inside(_behind(node))


def _inside(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in statements for node in ast.walk(statement))


def _fails(handler: ast.ExceptHandler) -> bool:
    calls = (node for node in ast.walk(handler) if isinstance(node, ast.Call | ast.Raise))
    return any(isinstance(node, ast.Raise) or last_name(node) in _ENDING for node in calls)


def _left_out(node: ast.If) -> Sequence[ast.stmt]:
    """What is not run where nobody asks."""
    holds = _holds(node.test)
    return [] if holds is None else node.orelse if holds else node.body


def _behind(function: Function) -> Sequence[ast.stmt]:
    """What stands behind a place where a session gives up unless somebody asks."""
    places = [n for n, statement in enumerate(function.body) if _gives_up(statement)]
    return function.body[places[0] + 1 :] if places else []


def _gives_up(node: ast.stmt) -> bool:
    if not isinstance(node, ast.If) or not _holds(node.test):
        return False
    last = node.body[-1]
    left = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and last_name(last.value) == "skip"
    return left or isinstance(last, ast.Return)


def _holds(test: ast.expr) -> bool | None:
    """Whether a condition holds where nobody gives anything; None of one that asks for something else."""
    return truth(test, _part)


def _part(test: ast.expr) -> bool | None:
    if not _ASKED & names(test) or _AUTOMATIC & constants(test):
        return None
    match test:
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return isinstance(test.ops[0], ast.NotIn)
        case ast.Compare(ops=[ast.Eq() | ast.Is() | ast.NotEq() | ast.IsNot()], comparators=[right]):
            empty = isinstance(right, ast.Constant) and not right.value
            return empty == isinstance(test.ops[0], ast.Eq | ast.Is)
        case ast.Compare():
            return None
        case _:
            return False
