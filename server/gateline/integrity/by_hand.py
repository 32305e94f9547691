"""Whether an answer given by hand is the very one that a test of the base expects of that function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.integrity.both import Both
from gateline.integrity.check import Check
from gateline.integrity.tests import Test
from gateline.integrity.text import constants, is_value, last_name

_TELLING = 3
"""So many values, or a long one, are not found by chance."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a test of the base gives to a function, and expects of it."""

    functions: frozenset[str]
    given: frozenset[str]
    expected: frozenset[str]

    def is_met(self, function: str, asked: frozenset[str], answered: frozenset[str]) -> bool:
        """Whether this input is asked for in that function, and answered as expected."""
        if function not in self.functions or not answered or answered != self.expected:
            return False
        return bool(asked) and (asked <= self.given or is_telling(answered))

    def is_held(self, functions: frozenset[str], asked: frozenset[str], answered: frozenset[str]) -> bool:
        """Whether a row of a table that these functions look into holds it."""
        if not functions & self.functions or not asked <= self.given:
            return False
        return bool(self.expected) and self.expected <= answered | asked


def is_telling(values: frozenset[str]) -> bool:
    """Whether values are hardly the same by chance."""
    return len(values) >= _TELLING or any(len(value.strip("'\"")) >= _TELLING for value in values)


def expectations(both: Both, wanted: frozenset[str]) -> list[Expectation]:
    """Those of the tests that the change found there, as far as they hold one of the wanted values."""
    tests = [*both.unchanged_tests, *(old for old, _ in both.pairs.both)]
    return [made for test in tests if _has(test, wanted) for made in _of_test(test)]


def _has(test: Test, wanted: frozenset[str]) -> bool:
    return any(value in wanted or any(w.strip("'\"") in value for w in wanted) for value in test.given)


def _of_test(test: Test) -> Iterator[Expectation]:
    for check in test.checks:
        if check.exact and check.expected is not None and is_value(check.expected):
            yield _expectation(check, check.expected)


def _expectation(check: Check, expected: ast.expr) -> Expectation:
    calls = [node for node in ast.walk(check.subject) if isinstance(node, ast.Call)]
    return Expectation(frozenset(map(last_name, calls)), constants(check.subject), constants(expected))
