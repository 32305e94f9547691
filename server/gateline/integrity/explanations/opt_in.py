"""Answers that were given at all times, and that are asked for by one more argument from now on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from gateline.analysis.trees import text_of
from gateline.integrity.strength.implication import is_as_strict
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test


def is_by_choice(check: Check, base: Test, now: Test) -> bool:
    """Whether the same is expected of the same call with one more keyword, for which nobody asked before."""
    if not check.expectation:
        return False
    known = {other.text for other in base.checks}
    come = (other for other in now.checks if other.text not in known and is_as_strict(other, check))
    return any(
        (other.relation, other.expectation) == (check.relation, check.expectation)
        and check.subject_text in _with_one_less(other.subject)
        for other in come
    )


def _with_one_less(subject: ast.expr) -> Iterator[str]:
    """An expression as text, each time without one of the keywords of its calls."""
    made = deepcopy(subject)
    for call in [node for node in ast.walk(made) if isinstance(node, ast.Call)]:
        given = call.keywords
        for keyword in given:
            call.keywords = [other for other in given if other is not keyword]
            yield text_of(made)
        call.keywords = given
