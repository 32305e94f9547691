"""A check that its test makes no more: whether it is made otherwise, or cannot be made any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gateline.analysis.modules import Function
from gateline.integrity.explanations.edited_programs import is_asked_of_edited_text
from gateline.integrity.explanations.explanation import Explanation, Table
from gateline.integrity.explanations.indirect_check import is_reached
from gateline.integrity.explanations.property_test import is_one_case
from gateline.integrity.explanations.subject_removed import is_about_gone
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.assertion_loosened import CODE as LOOSENED_CODE
from gateline.integrity.rules.assertion_removed import CODE as REMOVED_CODE
from gateline.integrity.rules.test_removed import CODE as REMOVED_TEST_CODE
from gateline.integrity.strength.implication import (
    covers,
    is_implied,
    is_pieced_together,
    is_told_in_parts,
    is_within_both,
)
from gateline.integrity.strength.loss import changed_checks
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test

Made = tuple[Test | None, list[Check]]
"""A test, and the checks that it gained."""


@dataclass(frozen=True)
class MissingCheck:
    """A check of the base that its test makes no more, and all that is checked instead."""

    check: Check
    test: Test
    is_removed: bool
    """Whether the test is gone as a whole."""
    own: Sequence[Check]
    """What the test gained."""
    kept: Sequence[Check]
    """All that the test checks now."""
    given: frozenset[str]
    """The values in what the test calls to get what it looks at."""
    gained: Sequence[Made]
    """What each test gained."""
    beside: Sequence[tuple[Sequence[Check], Sequence[Function]]]
    """What each other test gained, and its fixtures."""
    product: Product

    @property
    def elsewhere(self) -> list[Sequence[Check]]:
        """What each other test gained, where it gained something."""
        return [made for _, made in self.gained if made is not self.own and made]


@dataclass(frozen=True)
class ExampleCheck:
    """A check of the base, and the property tests that there are now."""

    check: Check
    test: Test
    properties: Sequence[Test]


EXAMPLE = Table[ExampleCheck](
    "a check of one example is no longer made",
    (REMOVED_TEST_CODE, REMOVED_CODE, LOOSENED_CODE),
    (
        Explanation(
            "property-test",
            "a property test checks the same for all values",
            lambda example: any(is_one_case(example.check, example.test, new) for new in example.properties),
        ),
    ),
)


def _is_of_removed_helper(missing: MissingCheck) -> bool:
    return bool(missing.own and missing.check.names & missing.product.gone_beside)


def _is_covered_elsewhere(missing: MissingCheck) -> bool:
    return any(covers(made, missing.check, own=False, around=around) for made, around in missing.beside)


def _is_within_bounds(missing: MissingCheck) -> bool:
    return any(is_within_both(made, missing.check) for made in (missing.own, *missing.elsewhere))


def _is_expected_elsewhere(missing: MissingCheck) -> bool:
    return missing.is_removed and any(changed_checks([missing.check], made) for made in missing.elsewhere)


def _is_reached(missing: MissingCheck) -> bool:
    return any(is_reached(missing.check, missing.test, made, test) for test, made in missing.gained if test)


MISSING_CHECK = Table[MissingCheck](
    "a check of the base is no longer made",
    (REMOVED_TEST_CODE, REMOVED_CODE, LOOSENED_CODE),
    (
        Explanation(
            "subject-removed",
            "the code that it checked was removed from the product",
            lambda missing: is_about_gone(missing.check, missing.product),
        ),
        Explanation(
            "helper-removed",
            "it used a test helper that was removed, and the test has new checks",
            _is_of_removed_helper,
        ),
        Explanation(
            "implied-by-stricter",
            "a remaining check implies it",
            lambda missing: is_implied(missing.check, missing.kept),
        ),
        Explanation(
            "covered-by-test",
            "new checks of its test are at least as strict about the same values",
            lambda missing: covers(missing.own, missing.check, own=True, given=missing.given),
        ),
        Explanation(
            "error-and-message-apart",
            "the type and the message of the error are checked separately",
            lambda missing: is_pieced_together(missing.own, missing.check),
        ),
        Explanation(
            "checked-in-parts",
            "its parts are checked separately",
            lambda missing: is_told_in_parts(missing.own, missing.check),
        ),
        Explanation(
            "program-edited",
            "the same value is expected for an edited multi-line input",
            lambda missing: is_asked_of_edited_text(missing.own, missing.check),
        ),
        Explanation("both-bounds", "its lower and upper bound are checked separately", _is_within_bounds),
        Explanation(
            "covered-by-other-test",
            "another test is at least as strict about the same values",
            _is_covered_elsewhere,
        ),
        Explanation(
            "expected-by-other-test",
            "its test was removed, and another test checks a value of the same expression",
            _is_expected_elsewhere,
        ),
        Explanation(
            "reached-through-caller",
            "another test checks the same result through a caller",
            _is_reached,
        ),
    ),
)
