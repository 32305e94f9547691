"""A check that nothing replaces: whether its test has an honest reason to do without."""

from __future__ import annotations

from dataclasses import dataclass

from gateline.integrity.explanations.determinised import is_settled
from gateline.integrity.explanations.double_removed import is_of_gone
from gateline.integrity.explanations.error_dropped import is_raised_no_more
from gateline.integrity.explanations.explanation import Explanation, Table
from gateline.integrity.explanations.fixture_data import is_of_other_data
from gateline.integrity.explanations.replaced_check import is_replaced
from gateline.integrity.explanations.timing import is_measured_no_more
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.assertion_loosened import CODE as LOOSENED_CODE
from gateline.integrity.rules.assertion_removed import CODE as REMOVED_CODE
from gateline.integrity.strength.implication import is_part_of
from gateline.integrity.strength.loss import Loss
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test


@dataclass(frozen=True)
class DroppedCheck:
    """A check that is missing, and the test that made it."""

    check: Check
    loss: Loss
    now: Test
    product: Product


def _is_item_of_whole(dropped: DroppedCheck) -> bool:
    same = not dropped.product.is_changed
    return same and any(is_part_of(dropped.check, other) for other in dropped.loss.gained)


DROPPED_CHECK = Table[DroppedCheck](
    "a test no longer makes one of its checks",
    (REMOVED_CODE, LOOSENED_CODE),
    (
        Explanation(
            "replaced",
            "as many new checks of the same functions replace it, and the change says why",
            lambda dropped: is_replaced(dropped.check, dropped.loss, dropped.product),
        ),
        Explanation(
            "timing",
            "it measured time, and the awaited result is checked instead",
            lambda dropped: is_measured_no_more(
                dropped.check, dropped.loss, is_changed=dropped.product.is_changed
            ),
        ),
        Explanation(
            "whole-result-expected",
            "it checked one item of a result that is now checked as a whole",
            _is_item_of_whole,
        ),
        Explanation(
            "determinised",
            "a fixed value replaces a clock or a pattern",
            lambda dropped: is_settled(dropped.check, dropped.loss.gained),
        ),
        Explanation(
            "other-data",
            "the same property is checked on other data",
            lambda dropped: is_of_other_data(dropped.check, dropped.loss.gained, dropped.product),
        ),
        Explanation(
            "double-removed",
            "it checked a test double that is no longer used",
            lambda dropped: is_of_gone(dropped.check, dropped.loss.base, dropped.now),
        ),
        Explanation(
            "error-dropped",
            "the function no longer raises the error, and its documentation says so",
            lambda dropped: is_raised_no_more(dropped.check, dropped.now, dropped.product),
        ),
    ),
)
