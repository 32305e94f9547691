"""A rule that is dropped: code only loses branches, and pages tell of it in the words of its test."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from gateline.analysis.modules import Function
from gateline.analysis.trees import descend, names
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.tests.collection import Test
from gateline.model.change import FileChange

_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 5
"""Letters in which two words must begin alike to be about the same."""
_BRANCHES = (ast.If, ast.IfExp, ast.Raise, ast.BoolOp, ast.ExceptHandler, ast.match_case, ast.Match)


def is_dropped(test: Test, both: Both) -> bool:
    """Whether a test that is gone was about a branch that what it calls has no more, as pages tell."""
    lost = names(test.node) & both.derived(_shortened)
    told = both.derived(_told) if lost else frozenset()
    return bool(told and _own_words(test, both) & told)


def _shortened(both: Both) -> frozenset[str]:
    """The functions that lost a branch, and got nothing that they had not."""
    return frozenset(
        new.name
        for base, now in on_both_sides(both.product)
        for name, new in now.all_functions.items()
        if (old := base.all_functions.get(name)) is not None and _is_shorter(old, new)
    )


def _is_shorter(old: Function, new: Function) -> bool:
    before, after = (Counter(_marks(node)) for node in (old, new))
    return after < before and any(kind.__name__ in before - after for kind in _BRANCHES)


def _marks(function: Function) -> Iterator[str]:
    """What a function is made of: the kinds of its nodes, its operators, its names and values."""
    for statement in function.body:
        for node in descend(statement):
            yield type(node).__name__
            own = (getattr(node, field, None) for field in ("id", "attr", "arg", "value", "name"))
            yield from (f"{type(node).__name__} {value!r}" for value in own if _is_plain(value))


def _is_plain(value: object) -> bool:
    return value is not None and not isinstance(value, ast.AST)


def _told(both: Both) -> frozenset[str]:
    """The words, by how they begin, of the lines of pages that came or went."""
    lines = (line for row in both.documents for line in _changed(row))
    return frozenset(word for line in lines for word in _stems(line))


def _changed(row: FileChange) -> set[str]:
    before, now = (set(side.text.splitlines()) if side else set[str]() for side in (row.base, row.current))
    return before ^ now


def _own_words(test: Test, both: Both) -> frozenset[str]:
    """The words of a test's texts, and of its names that no test has any more."""
    kept = frozenset().union(*({new.name, *names(new.node)} for new in both.tests_now))
    own = {test.node.name, *names(test.node)} - kept
    known = frozenset(stem for name in kept for stem in _stems(name))
    texts = (n.value for n in ast.walk(test.node) if isinstance(n, ast.Constant))
    said = frozenset(stem for text in texts if isinstance(text, str) for stem in _stems(text))
    return said | (frozenset(stem for name in own for stem in _stems(name)) - known)


def _stems(text: str) -> Iterator[str]:
    return (word.lower()[:_STEM] for word in _WORD.findall(text.replace("_", " ")))
