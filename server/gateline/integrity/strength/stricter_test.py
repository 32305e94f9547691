"""Expectations that let less pass than before: a closer bound, a smaller choice, a value for a question."""

from __future__ import annotations

import ast

from gateline.analysis.trees import is_literal, text_of
from gateline.integrity.tests.check import Check


def is_stricter(before: Check, after: Check) -> bool:
    """Whether whatever passes now passed before, too."""
    if _is_closer(before, after) or _is_answered(before, after) or _is_within(before, after):
        return True
    return _is_chosen_of_fewer(before, after) or _is_of_other_length(before, after)


def _is_closer(before: Check, after: Check) -> bool:
    """Whether a bound was drawn closer: `< 0.5` became `< 0.1`."""
    if before.relation != after.relation or before.relation[0] not in "<>":
        return False
    old, new = (_number(check.expectation) for check in (before, after))
    if old is None or new is None:
        return False
    return new <= old if before.relation[0] == "<" else new >= old


def _is_within(before: Check, after: Check) -> bool:
    """Whether one value is expected, within the bound that was, or what a test works out."""
    if before.relation not in ("<", "<=", ">", ">=") or not after.exact or after.expected is None:
        return False
    if not is_literal(after.expected):
        return True
    bound, value = (_number(check.expectation) for check in (before, after))
    if bound is None or value is None:
        return False
    return value <= bound if before.relation[0] == "<" else value >= bound


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_chosen_of_fewer(before: Check, after: Check) -> bool:
    """Whether something is to be one of some of those that it might have been: `in {"a", "b"}`."""
    if (before.relation, after.relation) != ("in", "in") or before.subject_text != after.subject_text:
        return False
    match before.expected, after.expected:
        case ast.Set(elts=many), ast.Set(elts=few):
            return set(map(text_of, few)) < set(map(text_of, many))
        case _:
            return False


def _is_of_other_length(before: Check, after: Check) -> bool:
    """Whether a longer text is to be in the same text, or not even a shorter one is."""
    if before.relation != after.relation or before.subject_text != after.subject_text:
        return False
    match before.relation, before.expected, after.expected:
        case "in", ast.Constant(value=str() as part), ast.Constant(value=str() as whole):
            return bool(part) and part in whole
        case "not in", ast.Constant(value=str() as whole), ast.Constant(value=str() as part):
            return bool(part) and part in whole
        case _:
            return False


def _is_answered(before: Check, after: Check) -> bool:
    """Whether what was only asked for its truth is to be one value of that truth: `not x`, `x is None`."""
    if before.relation not in ("true", "false") or before.subject_text != after.subject_text:
        return False
    if not after.exact or after.expected is None or not is_literal(after.expected):
        return False
    try:
        return bool(ast.literal_eval(after.expected)) is (before.relation == "true")
    except (ValueError, TypeError):
        return False


def is_other_question(before: Check, after: Check) -> bool:
    """Whether more is asked than what something is not, or both bounds where one was."""
    if after.strength < before.strength:
        return False
    if before.relation in ("not in", "is not", "!="):
        return after.relation != before.relation
    return after.relation == "between" and before.relation[0] in "<>" and before.constants <= after.constants
