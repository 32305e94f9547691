"""Sentences that a product makes in other words than before, as its formats tell: `f"{n} of {all} left"`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, literal
from gateline.integrity.change_view import Both
from gateline.integrity.tests.check import Check

_FIELD = re.compile(r"%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[srdifgx]|\{[^{}]*\}")
_ANY = r"[^\n]{0,60}?"
_FIXED = 8
"""Letters beside its fields by which a sentence is known."""
_MOST = 5
"""Fields of a sentence; more fit anything."""
_LONGEST = 400


def is_worded_otherwise(before: Check, after: Check, both: Both) -> bool:
    """Whether the text that is expected is of a new format, and the one before was of a format that went."""
    gone, come = both.derived(_formats)
    old, new = (_texts(check) for check in (before, after))
    if not old - new or not new - old:
        return False
    return all(_fits(text, gone) for text in old - new) and all(_fits(text, come) for text in new - old)


def has_new_sign(before: Check, after: Check, new: frozenset[str]) -> bool:
    """Whether a sign is expected only now, between the words, that only new strings of the product have."""
    signs = {value[1:-1].strip() for value in new if value[:1] in "'\""}
    signs = {sign for sign in signs if sign and not any(map(str.isalnum, sign)) and "\\" not in sign}
    old, now = ("\n".join(sorted(_texts(check))) for check in (before, after))
    return any(sign in now and sign not in old for sign in signs)


def is_respelt(before: Check, after: Check, gone: frozenset[str], come: frozenset[str]) -> bool:
    """Whether one string that the product has no more was put in another way, and so was what is expected."""
    old, new = before.expectation, after.expectation
    parts = [value[1:-1] for value in gone if value[:1] in "'\"" and value[1:-1] in old]
    others = [value[1:-1] for value in come if value[:1] in "'\"" and value[1:-1] in new]
    return any(old != new and old.replace(part, other) == new for part in parts if part for other in others)


def _texts(check: Check) -> set[str]:
    found = ast.walk(check.expected) if check.expected is not None else ()
    return {n.value for n in found if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def _fits(text: str, formats: frozenset[str]) -> bool:
    return any(re.search(form, text[:_LONGEST]) for form in formats)


def _formats(both: Both) -> tuple[frozenset[str], frozenset[str]]:
    """The formats that only the base has, and those that only now has."""
    before, now = (
        frozenset(form for pair in both.product if (side := getattr(pair, name)) for form in side.listed(_of))
        for name in ("base", "now")
    )
    return before - now, now - before


def _of(module: Module) -> Iterator[str]:
    for node, _ in module.owned:
        match node:
            case ast.JoinedStr(values=values):
                parts = [v.value if isinstance(v, ast.Constant) else None for v in values]
            case ast.Constant(value=str() as text) if _FIELD.search(text):
                parts = [part for fixed in _FIELD.split(text) for part in (fixed, None)][:-1]
            case _:
                continue
        fixed = [str(part) for part in parts if part is not None]
        letters = sum(character.isalpha() for part in fixed for character in part)
        if letters >= _FIXED and len(parts) - len(fixed) <= _MOST:
            yield "".join(_ANY if part is None else re.escape(str(part)) for part in parts)


def values_of(check: Check) -> Counter[str]:
    """The literal values in a check, each as often as it is there; without `None` and the truth values."""
    sides = [side for side in (check.subject, check.expected) if side is not None]
    found = (n for side in sides for n in ast.walk(side) if isinstance(n, ast.Constant))
    return Counter(literal(n) for n in found if constants(n))
