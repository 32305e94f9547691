"""A test that expects another value than before: whether that was meant, or is no other value."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateline.integrity.change_view import Both
from gateline.integrity.explanations import message_patterns
from gateline.integrity.explanations.documented_change import is_told
from gateline.integrity.explanations.equivalent_form import is_asked_otherwise, is_rest
from gateline.integrity.explanations.existing_message import is_said_before
from gateline.integrity.explanations.explanation import Explanation, Table
from gateline.integrity.explanations.fixture_data import (
    follows_input,
    grown_fixtures,
    has_more_input,
    is_done_again,
)
from gateline.integrity.explanations.golden_inlined import is_moved
from gateline.integrity.explanations.opt_in import is_by_choice
from gateline.integrity.explanations.same_value import is_as_it_was, is_named, is_worked_out
from gateline.integrity.explanations.whole_text import is_whole
from gateline.integrity.product.diff import Product
from gateline.integrity.product.message_formats import (
    has_new_sign,
    is_respelt,
    is_worded_otherwise,
    values_of,
)
from gateline.integrity.rules.expected_value_changed import CODE as CHANGED_CODE
from gateline.integrity.strength.sharper_value import is_sharper
from gateline.integrity.strength.stricter_test import is_other_question, is_stricter
from gateline.integrity.strength.widened_type import is_widened
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test

_WORD = re.compile(r"[A-Za-z_]\w{2,}")


@dataclass(frozen=True)
class ChangedValue:
    """A check of the same thing on both sides, with another expectation."""

    before: Check
    after: Check
    base: Test
    now: Test
    product: Product

    @property
    def sides(self) -> tuple[Check, Check]:
        """The check before, and the one after."""
        return self.before, self.after

    @property
    def both(self) -> Both:
        """The change."""
        return self.product.both

    @property
    def new_words(self) -> set[str]:
        """The words that are expected only now."""
        return _words(self.after) - _words(self.before)


def _words(check: Check) -> set[str]:
    """The words of what a check expects."""
    return set(_WORD.findall(check.expectation))


def _has_a_grown_fixture(value: ChangedValue) -> bool:
    return bool(value.now.fixtures & value.both.derived(grown_fixtures))


def _is_renamed(value: ChangedValue) -> bool:
    other_names = value.before.names != value.after.names
    return other_names and values_of(value.before) == values_of(value.after)


def _is_more_exact(value: ChangedValue) -> bool:
    before, after = value.sides
    same = before.relation == after.relation or is_whole(before, after)
    return after.strength > before.strength and same


def _is_in_parts(value: ChangedValue) -> bool:
    every = frozenset().union(*(check.constants for check in value.now.checks))
    return is_rest(*value.sides) and value.before.constants <= every


def _is_of_new_words(value: ChangedValue) -> bool:
    new, product = value.new_words, value.product
    known = new <= product.come or new <= product.new_words
    return bool(new) and (known or product.has_instead(value.before.constants, new))


def _is_respelt(value: ChangedValue) -> bool:
    return is_respelt(*value.sides, value.product.gone_constants, value.product.new_constants)


_SAME_PRODUCT = (
    Explanation[ChangedValue](
        "input-replaced",
        "the same words were replaced in the input of the test",
        lambda value: follows_input(*value.sides, value.base, value.now),
    ),
    Explanation[ChangedValue](
        "existing-message",
        "the expected text is a message that the product already has",
        lambda value: is_said_before(*value.sides, value.both),
    ),
    Explanation[ChangedValue](
        "closer-question",
        "an inequality became a stricter check, or a second bound was added",
        lambda value: is_other_question(*value.sides),
    ),
    Explanation[ChangedValue](
        "opt-in",
        "the same value is expected of the same call with an additional keyword",
        lambda value: is_by_choice(value.before, value.base, value.now),
    ),
)
"""Of code that does what it did only the question is another one."""


def _where_the_product_is_the_same(row: Explanation[ChangedValue]) -> Explanation[ChangedValue]:
    return Explanation(
        row.name,
        f"the product is unchanged, and {row.doc}",
        lambda v: not v.product.is_changed and row.holds(v),
    )


CHANGED_VALUE = Table[ChangedValue](
    "a test expects a different value",
    (CHANGED_CODE,),
    (
        Explanation("fixture-gives-more", "a fixture of the test provides more data", _has_a_grown_fixture),
        Explanation(
            "set-up-gives-more",
            "the setup of the test keeps its input and adds more",
            lambda value: has_more_input(value.base, value.now),
        ),
        Explanation(
            "done-more-often",
            "the test repeats a step, and the expected count grows with it",
            lambda value: is_done_again(*value.sides, value.base, value.now),
        ),
        *map(_where_the_product_is_the_same, _SAME_PRODUCT),
        Explanation(
            "golden-moved",
            "the expected text moved between the test and a file",
            lambda value: is_moved(*value.sides, value.both),
        ),
        Explanation(
            "named-value",
            "the same value is now imported by name",
            lambda value: is_named(*value.sides, value.now, value.both),
        ),
        Explanation("names-replaced", "the same values are expected under different names", _is_renamed),
        Explanation("more-exact", "the same value is checked more exactly", _is_more_exact),
        Explanation(
            "equivalent-form",
            "an equivalent check is written in another form",
            lambda value: is_asked_otherwise(*value.sides, value.both),
        ),
        Explanation(
            "as-before-the-act",
            "it is compared with its earlier value, which is itself checked",
            lambda value: is_as_it_was(*value.sides, value.now),
        ),
        Explanation(
            "computed-by-python",
            "the same value is computed from the input by built-in functions",
            lambda value: is_worked_out(*value.sides, value.now, value.product),
        ),
        Explanation(
            "widened", "each row has an additional column or key", lambda value: is_widened(*value.sides)
        ),
        Explanation(
            "expected-in-parts",
            "the value that was expected as a whole is now checked in parts",
            _is_in_parts,
        ),
        Explanation("new-words", "the new expected words are also new in the product", _is_of_new_words),
        Explanation(
            "message-pattern",
            "the pattern for the error message is equally strict",
            lambda value: message_patterns.is_as_close(*value.sides),
        ),
        Explanation(
            "message-reworded",
            "the product has the new wording of this message",
            lambda value: is_worded_otherwise(*value.sides, value.both),
        ),
        Explanation(
            "sign-added",
            "the new punctuation is also new in the product",
            lambda value: has_new_sign(*value.sides, value.product.new_constants),
        ),
        Explanation("respelt", "a string of the product has the new spelling", _is_respelt),
        Explanation(
            "sharper",
            "the number is expected with a smaller tolerance",
            lambda value: is_sharper(*value.sides),
        ),
        Explanation(
            "stricter",
            "every value that passes now also passed before",
            lambda value: is_stricter(*value.sides),
        ),
        Explanation(
            "value-in-product",
            "at least half of the new values are also new in the product",
            lambda value: value.product.explains(value.after.constants - value.before.constants),
        ),
        Explanation(
            "documented",
            "the change documents the difference in a page, a docstring or a signature",
            lambda value: is_told(value.after, value.now, value.product),
        ),
    ),
)
