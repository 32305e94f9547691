"""Marks that keep a test from running or from failing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateline.analysis.trees import Known, always_holds, put_in
from gateline.integrity.tests.conditions import is_of_nothing, is_opt_in, is_pretext
from gateline.model.names import dotted, last_name

_UNCONDITIONAL = {"skip": "skipped", "expectedFailure": "expected to fail", "xfail": "expected to fail"}
_IF = {"skipif": False, "skipIf": False, "skipUnless": True}


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that takes a test out of force, at least under some condition."""

    node: ast.expr
    how: str
    """`skipped` or `expected to fail`."""
    condition: ast.expr | None
    reason: bool
    """Whether it says why."""

    @property
    def in_force(self) -> bool:
        """Whether it holds wherever tests are usually run."""
        return is_pretext(self.condition, in_doubt=False) or always_holds(self.condition)

    @property
    def takes_out(self) -> bool:
        """Whether a test that ran is out of force where nobody asks for it."""
        return self.in_force or is_opt_in(self.condition) or is_of_nothing(self.condition)


def marks_of(decorators: Iterable[ast.expr], known: Known) -> Iterator[Mark]:
    """Those of the decorators that are such marks; a name of the module stands for what it was given."""
    for decorator in decorators:
        meant = put_in(decorator, known) if isinstance(decorator, ast.Name) else decorator
        if (mark := _mark(meant, decorator)) is not None:
            yield mark


def _mark(node: ast.expr, place: ast.expr) -> Mark | None:
    name = last_name(node)
    call = node if isinstance(node, ast.Call) else None
    given = {k.arg: k.value for k in call.keywords} if call else {}
    if name in _IF and call:
        condition = call.args[0] if call.args else given.get("condition")
        reason = "reason" in given or len(call.args) > 1
        if _IF[name] and condition is not None:
            condition = ast.UnaryOp(ast.Not(), condition)
        return Mark(place, "skipped", condition, reason)
    if name not in _UNCONDITIONAL or not _is_runner(node):
        return None
    condition = given.get("condition")
    if name == "xfail" and call and call.args:
        condition = call.args[0]
    reason = "reason" in given or bool(call and call.args)
    return Mark(place, _UNCONDITIONAL[name], condition, reason)


def _is_runner(node: ast.expr) -> bool:
    """Whether `skip` and the like are pytest's or unittest's, not some other function of that name."""
    written = dotted(node.func if isinstance(node, ast.Call) else node)
    return written.count(".") == 0 or written.startswith(("pytest.", "unittest.", "mark.", "pt.", "case."))
