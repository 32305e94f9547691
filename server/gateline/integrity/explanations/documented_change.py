"""A change of behaviour that the change itself tells of: in pages, docstrings or signatures."""

from __future__ import annotations

from gateline.integrity.product.annotations import annotated_otherwise
from gateline.integrity.product.diff import Product
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test


def is_told(check: Check, test: Test, product: Product) -> bool:
    """Whether the change says that what `check` is about should be otherwise."""
    about = [*check.names, *test.name.split(".")]
    if check.names & (product.resigned | product.both.derived(annotated_otherwise)):
        return True
    if product.pages.has_numbers(product.new_constants):
        return True
    return product.only_values_changed or product.says_so or product.is_told(about)
