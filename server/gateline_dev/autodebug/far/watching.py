"""What pytest did in one run, noted by a plug-in. Standard library and pytest alone."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Collection, Iterator
from typing import Any

import pytest

from .learned import imported
from .raised import described, named_only

_FAILURES = 12
_LONGEST_TEST = 0.3
"""The share of a run's time after which a test fails: many wrong repairs loop for ever, and others wait.

Of the processor's time, since others use the machine, too; of the clock's twice as much, for those that wait.
"""
_AND_AGAIN = 0.2
_LAST_TEST = 0.6
"""And after which none is begun: what is known by then is told."""


class Watch:
    """A pytest plug-in that notes outcomes, and of failures what the interpreter knows."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.first: frozenset[str] = frozenset()
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.failures: list[dict[str, Any]] = []
        self.session: Any = None
        self.seconds = 0.0
        self.last = ""
        self.is_late = False
        self._end = float("inf")
        self._known: frozenset[str] = frozenset()

    def begin(self, request: dict[str, Any]) -> None:
        """In the process of a run: what it is asked for."""
        self.first = frozenset(request["first"])
        self.seconds = request["seconds"]
        self._known = frozenset(sys.modules)
        self._end = time.monotonic() + _LAST_TEST * self.seconds

    def answer(self, ended: int) -> dict[str, Any]:
        """What the run came to; nothing is known where pytest itself broke."""
        if ended == pytest.ExitCode.INTERNAL_ERROR:
            return {"broken": "pytest"}
        return {**self.told(), "modules": dict(imported(self._known))}

    def told(self) -> dict[str, Any]:
        """What became of the tests so far."""
        told = {"passed": self.passed, "failed": self.failed, "failures": self.failures}
        return {**told, "late": self.is_late}

    def add(self, told: dict[str, Any], order: dict[str, int]) -> None:
        """What another process of the same run tells; failures in the order of the tests."""
        self.passed += told["passed"]
        self.failed += told["failed"]
        self.failures += told["failures"]
        self.failures.sort(key=lambda failure: order.get(failure["test"], -1))
        self.is_late |= told["late"]

    def forget(self, tests: Collection[str] | None = None) -> None:
        """Know nothing more of some tests that failed; without any, of all that was run."""
        self.passed = self.passed if tests is not None else []
        self.failed = [test for test in self.failed if tests is not None and test not in tests]
        self.failures = [f for f in self.failures if tests is not None and f["test"] not in tests]

    def was_stopped(self, tests: Collection[str]) -> bool:
        """Whether one of some tests took too long."""
        return any(f["type"] == "TimeoutError" for f in self.failures if f["test"] in tests)

    def pytest_collection_modifyitems(self, session: Any, items: list[Any]) -> None:
        """Run those tests first after whose failure no other counts."""
        self.session = session
        items.sort(key=lambda item: item.nodeid not in self.first)
        self.last = items[-1].nodeid if items else ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """End a test that takes too long."""
        # Again and again: the test may catch what ends it.
        signal.setitimer(signal.ITIMER_PROF, _LONGEST_TEST * self.seconds, _AND_AGAIN)
        signal.setitimer(signal.ITIMER_REAL, 2 * _LONGEST_TEST * self.seconds, _AND_AGAIN)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End the run when one of the first tests failed, or its time is nearly over."""
        # Not by an interruption: pytest would describe that at length, which takes longer than the tests.
        if nodeid in self.first and nodeid in self.failed:
            self.session.shouldfail = "the first failed"
        elif time.monotonic() > self._end and nodeid != self.last:
            self.is_late = True
            self.session.shouldfail = "no time is left"

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note what a test came to."""
        if report.failed and report.nodeid not in self.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """Note a file that could not be collected."""
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_exception_interact(self, node: Any, call: Any) -> None:
        """Note the exception itself, before it becomes text."""
        error = call.excinfo.value
        if type(error).__name__ == "CollectError" and error.__cause__ is not None:
            error = error.__cause__
        # Of the others it is only told what they are: they may have failed before.
        known = described(error, self.root) if len(self.failures) < _FAILURES else named_only(error)
        self.failures.append({**known, "test": node.nodeid})
