"""Runs the tests of a change, and those that fail once more: now, and at the base."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from gateline.model import Change, Dimension, Level, Report, State
from gateline.services.tests.run import Collection, Run
from gateline.session.types import Texts
from gateline.testing.failing import NAME, Outcomes, reports_of
from gateline.testing.naming import CONFIGURATION, is_test
from gateline.testing.result import Ending, Item, Result

OnResult = Callable[[Result], None]
COVERAGE = "coverage"
NO_TESTS = "there are no tests"


class Which(StrEnum):
    """Which tests to run."""

    AFFECTED = "affected"
    ALL = "all"
    NONE = "none"


def usual(level: Level) -> Which:
    """What is run at a checkpoint when nobody says."""
    return Which.ALL if level is Level.FINAL else Which.AFFECTED


class TestService(Protocol):
    """What runs tests; `services.tests.runner.TestRunner` is the real one."""

    @property
    def collection(self) -> Collection | None:
        """All tests there are, once they were collected."""
        ...

    async def run(
        self,
        ids: Sequence[str] | None,
        overlay: Mapping[str, str],
        on_result: OnResult = ...,
        *,
        coverage: bool = True,
        arcs: Sequence[str] = (),
    ) -> Run:
        """Run these tests (None: all) over unsaved texts."""
        ...

    async def stop(self) -> None:
        """End all processes."""
        ...


@dataclass(frozen=True)
class Tested:
    """What tests say of a change and of its base, by path."""

    __test__ = False

    current: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    base: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)


class Tests:
    """The tests of one workspace. Without a service, `reason` says why there is none.

    `look` says whether there may be tests at all; it may block, and is asked once.
    """

    __test__ = False

    def __init__(self, service: TestService | None, reason: str, look: Callable[[], bool]) -> None:
        self.service = service
        self.reason = reason
        self._look = look
        self._exist: bool | None = None

    async def exist(self) -> bool:
        """Whether there may be tests; nothing is run to find out."""
        if self._exist is None:
            self._exist = await asyncio.to_thread(self._look)
        return self._exist

    def files_changed(self, paths: Iterable[str]) -> None:
        """Files were written: there may be tests now, or none any more."""
        if any(is_test(path) or path in CONFIGURATION for path in paths):
            self._exist = None

    async def of_change(
        self, change: Change, around: Texts, which: Which, on_result: OnResult = lambda result: None
    ) -> Tested:
        """Run tests over the texts of a change. Who calls has made sure that the person agreed."""
        if not await self.exist():
            return _nothing(change, State.NO_DATA, NO_TESTS)
        if self.service is None or which is Which.NONE:
            return _nothing(change, State.NO_DATA, self.reason or "tests were not run")
        now = _texts(around) | {row.path: row.current.text for row in change.files if row.current}
        run = await self.service.run(None, now, on_result)
        results = (*run.results, *_uncollected(self.service.collection, run))
        if run.reason or not all(result.id for result in results):
            reason = run.reason or next(r.failure.explanation for r in results if not r.id and r.failure)
            state = State.NO_DATA if self.service.collection is None else State.FAILED
            return _nothing(change, state, reason)
        if not results:
            return _nothing(change, State.NO_DATA, NO_TESTS)
        return await self._judged(self.service, change, results, now)

    async def _judged(
        self, service: TestService, change: Change, results: tuple[Result, ...], now: Mapping[str, str]
    ) -> Tested:
        items = _items(service.collection, results)
        bad = [result.id for result in results if result.is_bad]
        flaky = await self._passing(service, bad, now)
        lasting = [test for test in bad if test not in flaky]
        base = {row.base.path: row.base.text for row in change.files if row.base}
        before = await service.run(lasting, base, coverage=False) if lasting else Run()
        passed = frozenset(result.id for result in before.results if result.ending is Ending.PASSED)
        lines = {row.path: row.current.lines for row in change.files if row.current}
        outcomes = Outcomes(items, results, flaky, passed, lines)
        failed_before = Outcomes(items, tuple(result for result in before.results if result.is_bad))
        return Tested(_each(reports_of(outcomes)), _each(reports_of(failed_before)))

    async def _passing(
        self, service: TestService, ids: Sequence[str], texts: Mapping[str, str]
    ) -> frozenset[str]:
        """Of tests that failed, those that pass when they are run again."""
        if not ids:
            return frozenset()
        again = await service.run(ids, texts, coverage=False)
        return frozenset(result.id for result in again.results if result.ending is Ending.PASSED)

    async def stop(self) -> None:
        """End the service."""
        if self.service is not None:
            await self.service.stop()


def _nothing(change: Change, state: State, reason: str) -> Tested:
    """Without tests, errors are what else was found; coverage is not known."""
    paths = [row.path for row in change.files if row.current and not row.skipped]
    missing = [Report(COVERAGE, Dimension.COVERAGE, state, reason)]
    if state is State.FAILED:
        missing.append(Report(NAME, Dimension.ERRORS, state, reason))
    return Tested(dict.fromkeys(paths, tuple(missing)))


def _texts(around: Texts) -> dict[str, str]:
    return {path: text for path, text in around.items() if text is not None}


def _items(collection: Collection | None, results: Sequence[Result]) -> dict[str, Item]:
    """Every test by identifier, and every file that could not be collected by its path."""
    known = {item.id: item for item in (collection.items if collection else ())}
    return {r.id: Item(r.id, r.id, 0, "") for r in results if r.id not in known} | known


def _uncollected(collection: Collection | None, run: Run) -> tuple[Result, ...]:
    """Files that could not be collected count as a test each: nobody knows how many they hold."""
    errors = {error.id: error for error in (*(collection.errors if collection else ()), *run.errors)}
    return tuple(
        Result(error.id or error.failure.problem.path, Ending.ERROR, failure=error.failure)
        for error in errors.values()
    )


def _each(reports: Mapping[str, Report]) -> dict[str, tuple[Report, ...]]:
    return {path: (report,) for path, report in reports.items()}
