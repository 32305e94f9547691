"""Classes of tests that take over what runs and judges them, so that they cannot fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Function
from gateline.analysis.trees import names
from gateline.model.names import dotted, last_name

_JUDGING = ("assert", "fail")
_RUNNING = frozenset({"run", "__call__", "_callTestMethod", "_callSetUp", "debug"})


def taken_over(owner: ast.ClassDef) -> Iterator[tuple[ast.AST, str]]:
    """What a class of unittest's overwrites, and how that forges results."""
    if not any("Test" in last_name(base) for base in owner.bases):
        return
    for node in owner.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="failureException" as name)]):
                yield node, f"`{name}` decides what counts as a failure"
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("assert"):
                yield node, f"this replaces `{name}` itself"
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if how := _function(node):
                    yield node, how


def _function(node: Function) -> str:
    if node.name in _RUNNING:
        return "" if _hands_on(node) else f"`{node.name}` runs tests and swallows their exceptions"
    if node.name.startswith(_JUDGING) and _is_inherited(node.name) and not _can_fail(node):
        return f"`{node.name}` can no longer fail"
    return ""


def _hands_on(node: Function) -> bool:
    """Whether what the runner gave is given to the method that is overwritten, and nothing is caught."""
    given = {argument.arg for argument in node.args.args[1:]}
    handed = {
        n.id
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and last_name(call) == node.name
        for argument in [*call.args, *(k.value for k in call.keywords)]
        for n in ast.walk(argument)
        if isinstance(n, ast.Name)
    }
    caught = any(isinstance(n, ast.ExceptHandler) for n in ast.walk(node))
    return not caught and (given <= handed or node.name not in ("run", "__call__"))


def _is_inherited(name: str) -> bool:
    """Whether unittest has such a method: what a project names alike is its own matter."""
    import unittest  # Late: few changes have such a class.

    return hasattr(unittest.TestCase, name)


def _can_fail(node: Function) -> bool:
    used = names(node) - {node.name}
    calls_itself = any(
        isinstance(n, ast.Call) and dotted(n.func) != f"self.{node.name}" and last_name(n) == node.name
        for n in ast.walk(node)
    )
    asserts = any(isinstance(n, ast.Raise | ast.Assert) for n in ast.walk(node))
    return asserts or calls_itself or any(name.startswith(_JUDGING) for name in used)
