"""Whether an answer given by hand is the very one that a test of the base expects of that function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.analysis.trees import NUMBER, constants, is_value
from gateline.integrity.change_view import Both
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_TELLING = 3
"""So many values, or a long one, are not found by chance."""
_SEVERAL = 2
_DIGITS = re.compile(r"\d{1,9}")


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

    def is_told_by(self, functions: frozenset[str], asked: frozenset[str], answered: frozenset[str]) -> bool:
        """Whether a row of numbers has several that are given, and the number that is expected of them."""
        same = _numbers(answered) == _numbers(self.expected) and is_telling(_numbers(answered))
        known = _numbers(asked) & _numbers(self.given)
        return bool(functions & self.functions) and same and len(known) >= _SEVERAL and is_telling(known)

    def is_spelt(self, asked: frozenset[str], answered: frozenset[str]) -> bool:
        """Whether the numbers that are asked for are written in what is given, and the answer's likewise."""
        given, expected = (_written(values) for values in (self.given, self.expected))
        told = is_telling(answered) and any(len(number) > _TELLING for number in asked & given)
        return told and len(answered) >= _TELLING and asked <= given and answered <= expected


def _numbers(values: frozenset[str]) -> frozenset[str]:
    return frozenset(value for value in values if NUMBER.fullmatch(value))


def _written(values: frozenset[str]) -> frozenset[str]:
    """The whole numbers that stand in texts, as in a date: without zeros before them."""
    texts = (value for value in values if value[:1] in "'\"")
    return frozenset(str(int(number)) for text in texts for number in _DIGITS.findall(text))


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
