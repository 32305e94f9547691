"""Tests that were written anew under another name: others ask the same functions for more."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from gateline.analysis.trees import constants
from gateline.integrity.change_view import Both
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.parameters import values_in
from gateline.model.names import last_name

_WORD = re.compile(r"[^\W_]+")
_SHARED = 0.5
"""The share of the words of a test's name that must return."""
_MORE = 2
"""How many times as much must be asked: an easy case is soon written in the place of a hard one."""


def is_retold(test: Test, both: Both) -> bool:
    """Whether new tests beside it, with most of the words of its name, check much more, and as strictly."""
    checks = [check for check in test.checks if check.strength]
    called = _called(checks)
    come = [new for new in both.pairs.come if new.path == test.path and _is_named_alike(new, test)]
    found = [c for new in come if called <= _called(new.checks) for c in new.checks if c.strength]
    parts = [c for c in _parts(test, both) if c.strength]
    if called and _is_a_row(test, called, both):
        return True
    if checks and all(_is_refused_beside(check, test, both) for check in checks):
        return True
    return (bool(called) and _says_more(found, checks, _MORE)) or _says_more(parts, checks, 1)


def _is_a_row(test: Test, called: set[str], both: Both) -> bool:
    """Whether a case of a new test beside it bears its name: `id="never below one"`."""
    words = _words(test.node.name)
    tables = (new for new in both.pairs.come if new.path == test.path and called <= _called(new.checks))
    return len(words) > 1 and any(
        words <= _words(value)
        for new in tables
        if any(check.exact for check in new.checks)
        for mark in new.given_marks
        for value in constants(mark)
        if value[:1] in "'\""
    )


def _is_refused_beside(check: Check, test: Test, both: Both) -> bool:
    """Whether what must be refused is in a new case of a test beside it, that must be refused likewise."""
    kinds = _refused_as(check)
    texts = [text.lstrip("b")[1:-1] for text in constants(check.subject) if text.lstrip("b")[:1] in "'\""]
    if not kinds or not any(texts):
        return False
    grown = (pair for pair in both.pairs.both if pair[1].path == test.path and len(pair[1].runs) > 1)
    for old, new in grown:
        known = [values_in(run) for run in old.runs]
        come = [given for run in new.runs if (given := values_in(run)) not in known]
        same = any(_refused_as(c) == kinds and c.strength >= check.strength for c in new.checks)
        if same and any(all(any(text in value for value in given) for text in texts) for given in come):
            return True
    return False


def _refused_as(check: Check) -> str:
    """The class of the error that must be raised."""
    match check.relation, check.expected:
        case "raises", ast.Tuple(elts=[kind, *_]):
            return last_name(kind)
        case _:
            return ""


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - {"test"}


def _parts(test: Test, both: Both) -> list[Check]:
    """The checks of the new tests beside it that have its name and more words, if it was divided."""
    divided = [
        new
        for new in both.pairs.come
        if new.path == test.path and new.node.name.startswith(f"{test.node.name}_")
    ]
    return [check for new in divided for check in new.checks] if len(divided) > 1 else []


def _says_more(found: list[Check], checks: list[Check], times: int) -> bool:
    exact, made_exact = (sum(check.exact for check in side) for side in (checks, found))
    return len(found) >= times * len(checks) > 0 and made_exact >= exact


def _is_named_alike(new: Test, old: Test) -> bool:
    words, others = (_words(test.node.name) for test in (old, new))
    return bool(words) and len(words & others) >= _SHARED * len(words)


def _called(checks: Sequence[Check]) -> set[str]:
    return {
        last_name(node) for check in checks for node in ast.walk(check.subject) if isinstance(node, ast.Call)
    }
