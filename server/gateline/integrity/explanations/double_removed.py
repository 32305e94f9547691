"""Checks of what a stand-in recorded, where the real thing is called again from now on, or none is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Function
from gateline.analysis.mutated_names import is_grown
from gateline.analysis.trees import is_literal, names
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.doubles import Patch, patches
from gateline.model.names import dotted, last_name


def is_of_gone(check: Check, old: Test, new: Test) -> bool:
    """Whether a check is of a stand-in that is put in no longer, where an answer is told to the letter."""
    if not _is_recorded(check, old.node):
        return False
    before, now = ({patch.target for patch in _around(test)} for test in (old, new))
    known = {made.expectation for made in old.checks if made.exact and not _is_recorded(made, old.node)}
    real = (made for made in new.checks if made.exact and made.expectation in known - {""})
    return bool(before) and before.isdisjoint(now) and any(real)


def _around(test: Test) -> Iterator[Patch]:
    parts = (test.node, *(part for part in test.around if isinstance(part, Function)))
    return (patch for part in parts for patch in patches(part, test.module))


def _is_recorded(check: Check, test: Function) -> bool:
    """Whether something is asked that a stand-in was told: how it was called, or what a list was given."""
    subject = check.subject
    looked_at = names(subject) | (names(check.expected) if check.expected is not None else frozenset())
    if not _recorders(test).isdisjoint(looked_at) or is_grown(subject):
        return True
    return is_literal(subject) and not _says(subject)


def _says(subject: ast.expr) -> bool:
    return any(isinstance(node, ast.Constant) for node in ast.walk(subject))


def _recorders(test: Function) -> set[str]:
    """The names of the stand-ins that patches hand to a test."""
    found: set[str] = set()
    for node in ast.walk(test):
        match node:
            case ast.withitem(context_expr=ast.Call() as manager, optional_vars=ast.Name(id=name)):
                found |= {name} if _is_patch(manager) else set()
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as made):
                found |= {name} if last_name(made).endswith(("Mock", "create_autospec")) else set()
    handed = [d for d in test.decorator_list if isinstance(d, ast.Call) and _is_patch(d) and len(d.args) < 3]
    given = [argument.arg for argument in test.args.args if argument.arg not in ("self", "cls")]
    return found | set(given[: len(handed)])


def _is_patch(call: ast.Call) -> bool:
    return "patch" in dotted(call.func).split(".")
