"""Checks and tests of something that the product has no more."""

from __future__ import annotations

import ast
import re

from gateline.analysis.trees import constants, names
from gateline.integrity.product.diff import Product
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_WORD = re.compile(r"[^\W\d_]\w+")


def is_about_gone(check: Check, product: Product) -> bool:
    """Whether a check is about a name or a word that the product has no more."""
    # The message of an error tells what it is about; what was given is what any input may be.
    said = constants(check.expected) if check.relation == "raises" and check.expected is not None else None
    if check.names & product.gone or any(map(product.lost_word, said or check.constants)):
        return True
    words = {word for value in said or constants(check.subject) for word in _WORD.findall(value)}
    if any(repr(word) in product.gone_constants for word in words):
        return True
    calls = (node for node in ast.walk(check.subject) if isinstance(node, ast.Call))
    return any(product.takes_no_more(last_name(c), k.arg) for c in calls for k in c.keywords if k.arg)


def test_is_about_gone(test: Test, product: Product) -> bool:
    """Whether a test uses something that the product has no more."""
    calls = [node for node in ast.walk(test.node) if isinstance(node, ast.Call)]
    keywords = {k.arg for call in calls for k in call.keywords if k.arg}
    if names(test.node) & product.gone or keywords & product.gone_parameters:
        return True
    return any(len(call.args) > product.most_arguments(last_name(call)) for call in calls)
