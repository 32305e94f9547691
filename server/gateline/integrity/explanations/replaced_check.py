"""A check in whose place others of the same functions came."""

from __future__ import annotations

import ast

from gateline.analysis.trees import names, text_of
from gateline.integrity.explanations.documented_change import is_told
from gateline.integrity.explanations.equivalent_form import is_answer_of_one
from gateline.integrity.explanations.golden_inlined import is_written_out
from gateline.integrity.product.diff import Product
from gateline.integrity.strength.implication import is_as_strict
from gateline.integrity.strength.loss import Loss
from gateline.integrity.tests.check import Check

_LIKE = 0.6
"""The share of names that two checks of the same functions have in common."""


def is_replaced(check: Check, loss: Loss, product: Product) -> bool:
    """Whether as many checks of the same function came for it, and the change says why, or needs not."""
    if loss.now is None:
        return False
    if is_written_out(check, loss.gained, product.both):
        return True
    taken = {id(pair.after) for pair in loss.changed}
    gone = [other for other in loss.lost if _is_like(other, check)]
    come = [other for other in loss.gained if id(other) not in taken and _is_like(other, check)]
    if not gone or len(come) < len(gone) or (len(come) == 1 and _is_of_part(come[0], check)):
        return False
    new = frozenset().union(*(other.constants for other in come)) - check.constants
    if product.explains(new):
        return True
    return not product.is_changed or is_told(check, loss.now, product)


def _is_like(other: Check, check: Check) -> bool:
    """Whether a check uses most of the names that `check` does, and is as strict."""
    about, also = names(check.subject), names(other.subject)
    same = len(about & also) >= _LIKE * len(about) or is_answer_of_one(other, check)
    return bool(about) and same and is_as_strict(other, check)


def _is_of_part(other: Check, check: Check) -> bool:
    """Whether only one attribute or item is looked at of what was looked at as a whole."""
    part = other.subject
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    is_part = part is not other.subject and text_of(part) == check.subject_text
    return is_part and check.exact and other.constants < check.constants
