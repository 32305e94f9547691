"""Words of the product that were replaced, in what is expected as in the product."""

from __future__ import annotations

import re

from gateline.integrity.product.diff import Product
from gateline.integrity.tests.check import Check

_WORD = re.compile(r"[A-Za-z_]\w{2,}")


def is_renamed(before: Check, after: Check, product: Product) -> bool:
    """Whether a text differs by words alone, each the whole of a string that the product has only now."""
    texts = [re.sub(r"\\[nrt]", " ", side.expectation) for side in (before, after)]
    old, new = (set(_WORD.findall(text)) for text in texts)
    gone, come = old - new, new - old
    signs = [_WORD.sub("", text) for text in texts]
    was, has = product.gone_constants, product.new_constants
    known = all(repr(w) in was for w in gone) and all(repr(w) in has for w in come)
    return bool(gone and come) and signs[0] == signs[1] and known


def words(check: Check) -> set[str]:
    """The words of what a check expects."""
    return set(_WORD.findall(check.expectation))
