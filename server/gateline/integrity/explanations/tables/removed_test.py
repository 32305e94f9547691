"""A test that is gone: whether it is checked otherwise, or had nothing left to check."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gateline.analysis.trees import text_of
from gateline.integrity.explanations.documented_change import is_told
from gateline.integrity.explanations.explanation import Explanation, Table
from gateline.integrity.explanations.removed_rule import is_dropped
from gateline.integrity.explanations.rewritten_test import is_retold
from gateline.integrity.explanations.subject_removed import test_is_about_gone
from gateline.integrity.explanations.timing import is_counted
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.test_removed import CODE as REMOVED_TEST_CODE
from gateline.integrity.strength.loss import Loss
from gateline.integrity.tests.collection import Test


@dataclass(frozen=True)
class RemovedTest:
    """A test of the base that is gone, with its checks that are missing."""

    loss: Loss
    product: Product

    @property
    def test(self) -> Test:
        """The test, as the base has it."""
        return self.loss.base


def _checks_something(removed: RemovedTest) -> bool:
    return any(check.strength for check in removed.test.checks)


def _is_answered_anew(removed: RemovedTest) -> bool:
    come = removed.product.both.pairs.come
    asked = {text_of(_whole(c.subject)): c for new in come for c in new.checks if c.exact}
    lost = removed.loss.lost
    anew = [asked.get(text_of(_whole(check.subject))) for check in lost]
    others = [old for old, new in zip(lost, anew, strict=True) if new and new.text != old.text]
    told = all(is_told(old, removed.test, removed.product) for old in others)
    return bool(lost) and len(others) == len(lost) and told


def _whole(subject: ast.expr) -> ast.expr:
    """What is looked at, of which only a part may be asked."""
    while isinstance(subject, ast.Attribute | ast.Subscript):
        subject = subject.value
    return subject


REMOVED_TEST = Table[RemovedTest](
    "a test of the base was removed",
    (REMOVED_TEST_CODE,),
    (
        Explanation(
            "tested-code-removed",
            "it uses code that was removed from the product",
            lambda removed: test_is_about_gone(removed.test, removed.product),
        ),
        Explanation(
            "checked-elsewhere",
            "other tests make all of its checks",
            lambda removed: _checks_something(removed) and not removed.loss.lost,
        ),
        Explanation(
            "rule-removed",
            "the branch that it tested was removed, and the documentation says so",
            lambda removed: _checks_something(removed) and is_dropped(removed.test, removed.product.both),
        ),
        Explanation(
            "rewritten",
            "new tests with its words make more checks, equally strict",
            lambda removed: _checks_something(removed) and is_retold(removed.test, removed.product.both),
        ),
        Explanation(
            "timing-test-rewritten",
            "it measured time, and a new test checks a value of the same calls",
            lambda removed: _checks_something(removed) and is_counted(removed.test, removed.product.both),
        ),
        Explanation(
            "other-results-documented",
            "new tests expect other results of all calls that it checked, and the change documents that",
            _is_answered_anew,
        ),
    ),
)
