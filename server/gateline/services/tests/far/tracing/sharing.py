"""Attributes what shared fixtures execute and read to every test that uses them, and not only to the first.

Coverage sees the code of a session's fixture once, in the test that happens to come first. All others that
use it depend on it as well.
"""

from __future__ import annotations

from typing import Any

from .audit import Audit
from .coverage import Coverage, Steps
from .touched import Touched


class Sharing:
    """What each fixture of a wider scope than one test executed and touched when it was set up."""

    def __init__(self, coverage: Coverage, audit: Audit) -> None:
        self._coverage = coverage
        self._audit = audit
        self._setups: dict[int, tuple[Steps, Touched]] = {}
        """By the identity of a fixture's definition."""

    def begin(self) -> tuple[Steps, Touched]:
        """A fixture is going to be set up: what was executed and touched before that."""
        return self._coverage.steps(), self._audit.apart()

    def end(self, fixture: Any, before: tuple[Steps, Touched]) -> None:
        """It was set up."""
        steps, touched = self._coverage.steps(), self._audit.apart()
        self._setups[id(fixture)] = steps, touched
        for executed, other in (before, (steps, touched)):
            self._coverage.add(executed)
            self._audit.touched.add(other)

    def attribute(self, item: Any) -> None:
        """Count what its fixtures executed and touched as of this test."""
        for fixture in _used(item):
            if id(fixture) in self._setups:
                steps, touched = self._setups[id(fixture)]
                self._coverage.add(steps)
                self._audit.touched.add(touched)


def _used(item: Any) -> list[Any]:
    """The definitions of all fixtures that a test asked for, also of those that failed or that others use."""
    asked = getattr(getattr(item, "_request", None), "_fixture_defs", {})
    named = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return [*asked.values(), *(fixture for fixtures in named.values() for fixture in fixtures)]
