"""Whether an expected value only got more to it: a column in each row."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gateline.analysis.trees import text_of
from gateline.integrity.tests.check import Check
from gateline.model.names import last_name


def is_widened(before: Check, after: Check) -> bool:
    """Whether rows of what is expected have one column or key more, and all that they had."""
    old, new = before.expected, after.expected
    if old is None or new is None:
        return False
    return _is_of_more_words(before, after) or _is_widened(old, new)


def _is_of_more_words(before: Check, after: Check) -> bool:
    """Whether one line has all its columns still, and more: of a list it would be more rows."""
    match before.subject, before.expected, after.expected:
        case ast.Call() as subject, ast.List(elts=[_, _, *_] as old), ast.List(elts=new):
            columns = last_name(subject) == "split" and before.subject_text == after.subject_text
            return columns and is_in_order(list(map(text_of, old)), list(map(text_of, new)))
        case _:
            return False


def _is_widened(before: ast.expr, after: ast.expr, *, inside: bool = False) -> bool:
    match before, after:
        case ast.Tuple(elts=old), ast.Tuple(elts=new) if old and len(new) > len(old):
            return is_in_order(list(map(text_of, old)), list(map(text_of, new)))
        case (ast.List(elts=old), ast.List(elts=new)) | (ast.Tuple(elts=old), ast.Tuple(elts=new)):
            return _all_widened(old, new)
        case ast.Dict(keys=[*keys], values=old), ast.Dict(keys=[*others], values=new):
            same = [k and text_of(k) for k in keys] == [k and text_of(k) for k in others]
            return (same and _all_widened(old, new)) or (inside and _has_more(keys, old, others, new))
        case _:
            return False


def _all_widened(old: list[ast.expr], new: list[ast.expr]) -> bool:
    pairs = list(zip(old, new, strict=True)) if len(old) == len(new) else []
    differing = [pair for pair in pairs if text_of(pair[0]) != text_of(pair[1])]
    return bool(differing) and all(_is_widened(*pair, inside=True) for pair in differing)


def _has_more(
    keys: Sequence[ast.expr | None],
    old: Sequence[ast.expr],
    others: Sequence[ast.expr | None],
    new: Sequence[ast.expr],
) -> bool:
    """Whether a row in a list has more keys, and all that it had as it was."""
    before, after = (
        {(text_of(key) if key else "**", text_of(value)) for key, value in zip(*side, strict=True)}
        for side in ((keys, old), (others, new))
    )
    return before < after


def is_in_order(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether all of `old` stands in `new`, in its order, and there is more."""
    rest = iter(new)
    return len(new) > len(old) and all(text in rest for text in old)
