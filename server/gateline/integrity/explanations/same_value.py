"""The value that was expected, told by a name, by a computation, or as what it was before an act."""

from __future__ import annotations

import ast
import builtins
import sys

from gateline.analysis.trees import constants, is_literal, text_of
from gateline.integrity.change_view import Both
from gateline.integrity.product.diff import Product
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name


def is_named(before: Check, after: Check, now: Test, both: Both) -> bool:
    """Whether the same value is expected by a name from now on that another file gives it."""
    name = after.expected
    whole = now.module.imports.get(name.id, "") if isinstance(name, ast.Name) else ""
    module = both.module(whole.rpartition(".")[0]) if whole else None
    value = module.constants.get(whole.rpartition(".")[2]) if module is not None else None
    return value is not None and text_of(value) == before.expectation


def is_worked_out(before: Check, after: Check, now: Test, product: Product) -> bool:
    """Whether what stood there as a value is worked out of the input by Python's own means."""
    expected = after.expected
    if (
        product.is_changed
        or before.expected is None
        or expected is None
        or not is_literal(before.expected)
        or is_literal(expected)
    ):
        return False
    found = [n for n in ast.walk(expected) if isinstance(n, ast.Name)]
    called = {last_name(n) for n in ast.walk(expected) if isinstance(n, ast.Call)}
    given = {n.id for n in ast.walk(after.subject) if isinstance(n, ast.Name)} - called
    bound = {n.id for n in found if isinstance(n.ctx, ast.Store)}
    used = {n.id for n in found} - given - bound
    plain = all(_is_pythons_own(name, now) for name in used)
    return plain and constants(expected) <= constants(after.subject)


def _is_pythons_own(name: str, test: Test) -> bool:
    """Whether a name is a builtin, or comes from Python's own library."""
    if whole := test.module.imports.get(name):
        return whole.partition(".")[0] in sys.stdlib_module_names
    return hasattr(builtins, name) and name not in test.module.functions and name not in test.fixtures


def is_as_it_was(before: Check, after: Check, now: Test) -> bool:
    """Whether it is to be what it was before an act, and that is asked for to the letter."""
    named = isinstance(after.expected, ast.Name)
    return named and any(_says_the_same(check, before) for check in now.checks)


def _says_the_same(one: Check, other: Check) -> bool:
    return one.exact and (one.subject_text, one.expectation) == (other.subject_text, other.expectation)
