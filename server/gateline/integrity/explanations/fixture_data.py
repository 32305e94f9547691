"""Expectations that follow what a test gives: the same words of both were replaced, and no code changed."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from gateline.analysis.trees import descend, text_of, unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.product.diff import Product
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_WORD = re.compile(r"\w[\w.]*")
_TEXT = re.compile(r"'[^']*'")


def follows_input(before: Check, after: Check, base: Test, now: Test) -> bool:
    """Whether each word that is no longer expected was also given, and each that is expected now is given."""
    old, new = (_words(side.expected) for side in (before, after))
    gone, come = old - new, new - old
    if not gone or len(gone) != len(come) or _shape(before, gone) != _shape(after, come):
        return False
    was, is_now = (_given(test) for test in (base, now))
    return _carries(was, gone, come) and _carries(is_now, come, gone)


def has_more_input(base: Test, now: Test) -> bool:
    """Whether what stands around a test gives it more than before, and all that it gave."""
    old, new = (Counter(line for node in test.around for line in _lines(node)) for test in (base, now))
    return old < new


def grown_fixtures(both: Both) -> frozenset[str]:
    """Fixtures that give more than before: what is found of more is more."""
    found = set()
    for pair in both.tests:
        before = pair.base.functions if pair.base else {}
        for name, node in (pair.now.functions if pair.now else {}).items():
            old, new = (Counter(_literals(side)) for side in (before.get(name), node))
            if name in before and old < new:
                found.add(name)
    return frozenset(found)


def _literals(node: ast.AST | None) -> list[str]:
    return [unparsed(n) for n in ast.walk(node) if isinstance(n, ast.Constant)] if node else []


def is_done_again(before: Check, after: Check, base: Test, now: Test) -> bool:
    """Whether what was expected is expected several times, and the test does more than it did."""
    match before.expected, after.expected:
        case ast.List() as once, ast.BinOp(
            left=left, op=ast.Mult(), right=ast.Constant(value=int() as times)
        ):
            same = times > 1 and text_of(left) == text_of(once)
            return same and _calls(base.node) < _calls(now.node)
        case _:
            return False


def _calls(node: ast.AST) -> Counter[str]:
    return Counter(last_name(n) for n in ast.walk(node) if isinstance(n, ast.Call))


def is_of_other_data(check: Check, gained: Iterable[Check], product: Product) -> bool:
    """Whether the same is asked of other data, as what was given is something that the product has by now."""
    shape = _bare(check)
    return check.constants <= product.new_constants and any(
        other.exact and _bare(other) == shape and not other.constants & check.constants for other in gained
    )


def _lines(node: ast.AST) -> Iterator[str]:
    for found in ast.walk(node):
        if isinstance(found, ast.Constant):
            yield from str(found.value).splitlines() or [""]


def _bare(check: Check) -> str:
    """A check without the texts in it."""
    return _TEXT.sub("''", check.text)


def _carries(given: Counter[str], present: Counter[str], absent: Counter[str]) -> bool:
    """Whether a test has these words elsewhere, too, and has none of the others."""
    return all(given[word] > 1 for word in present) and not any(given[word] for word in absent)


def _shape(check: Check, words: Counter[str]) -> str:
    return _WORD.sub(lambda word: "" if word[0] in words else word[0], check.expectation)


def _given(test: Test) -> Counter[str]:
    """In how many of its texts and numbers each word stands, decorators and what is around it included.

    A text counts twice that has a name by which it is used elsewhere than in an assertion.
    """
    found: Counter[str] = Counter()
    for value in _named(test.node):
        found.update(set(_words_in(value)))
    for part in (test.node, *test.around):
        for node in descend(part):
            found.update(set(_words_in(node)))
    return found


def _named(function: ast.AST) -> Iterator[ast.Constant]:
    nodes = list(descend(function))
    asserted = {id(n) for node in nodes if isinstance(node, ast.Assert) for n in ast.walk(node)}
    used = {
        n.id
        for n in nodes
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in asserted
    }
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if name in used:
                yield value


def _words(node: ast.AST | None) -> Counter[str]:
    return Counter(word for part in (descend(node) if node else ()) for word in _words_in(part))


def _words_in(node: ast.AST) -> list[str]:
    return _WORD.findall(str(node.value)) if isinstance(node, ast.Constant) else []
