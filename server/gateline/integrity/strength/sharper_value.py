"""Whether a number is expected more closely than before: with more digits, within a smaller tolerance."""

from __future__ import annotations

import ast
import re

from gateline.analysis.trees import text_of
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.tolerance import is_closer
from gateline.model.names import last_name

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def is_sharper(before: Check, after: Check) -> bool:
    """Whether the same numbers are expected within a tolerance, told with more digits."""
    if before.relation != after.relation or not is_closer(before.node, after.node):
        return False
    old, new = _value(before), _value(after)
    values = list(zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=False))
    same = _NUMBER.sub("0", old) == _NUMBER.sub("0", new)
    return same and old != new and all(_is_rounded(*pair) for pair in values)


def _value(check: Check) -> str:
    """What is expected, without how far away from it something may be."""
    match check.expected:
        case ast.Call(args=[value, *_]) as call if last_name(call) == "approx":
            return text_of(value)
        case ast.Call(args=[_, value, *_]) as call if last_name(call) == "assert_allclose":
            return text_of(value)
        case _:
            return check.expectation


def _is_rounded(old: str, new: str) -> bool:
    """Whether a number is another one with fewer digits."""
    digits = len(old.partition(".")[2])
    return old == new or (digits > 0 and float(old) == round(float(new), digits))
