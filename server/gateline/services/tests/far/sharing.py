"""Attributes what shared fixtures execute to every test that uses them, and not only to the first.

Coverage sees the code of a session's fixture once, in the test that happens to come first. All others that
use it depend on it as well.
"""

from __future__ import annotations

from typing import Any

from .coverage import Coverage, Steps


class Sharing:
    """What each fixture of a wider scope than one test executed when it was set up."""

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage
        self._setups: dict[int, Steps] = {}
        """By the identity of a fixture's definition."""

    def begin(self) -> Steps:
        """A fixture is going to be set up: what was executed before that."""
        return self._coverage.steps()

    def end(self, fixture: Any, before: Steps) -> None:
        """It was set up."""
        steps = self._coverage.steps()
        self._setups[id(fixture)] = steps
        self._coverage.add(before)
        self._coverage.add(steps)

    def attribute(self, item: Any) -> None:
        """Count what its fixtures executed as executed by this test."""
        for fixture in _used(item):
            self._coverage.add(self._setups.get(id(fixture), {}))


def _used(item: Any) -> list[Any]:
    """The definitions of all fixtures that a test asked for, also of those that failed or that others use."""
    asked = getattr(getattr(item, "_request", None), "_fixture_defs", {})
    named = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return [*asked.values(), *(fixture for fixtures in named.values() for fixture in fixtures)]
