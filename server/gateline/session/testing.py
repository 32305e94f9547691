"""Runs the tests that a change needs, and those that fail once more: now, and at the base."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gateline.model import Change, Level, Report, TestRun
from gateline.services.child import ChildError, last_line
from gateline.services.tests.run import Collection, Run
from gateline.session import covering
from gateline.session.base_tests import BaseTests
from gateline.session.covering import Covering, Lines
from gateline.session.planning import Planning
from gateline.session.selecting import Plan, Selecting, Wanted, Which, overlay_of
from gateline.session.test_services import OnResult, TestService
from gateline.session.types import Texts
from gateline.session.untested import Untested
from gateline.testing.chosen import summary
from gateline.testing.comparable import executing
from gateline.testing.covered import Covered
from gateline.testing.failing import Outcomes, reports_of
from gateline.testing.naming import CONFIGURATION, is_test
from gateline.testing.result import Ending, Item, Result
from gateline.testing.selection import Chosen

if TYPE_CHECKING:
    from gateline.session.timing_tests import TimingTests

__all__ = ["NO_TESTS", "OnResult", "Tested", "Tests", "Wanted", "Which", "usual"]

NO_TESTS = "there are no tests"
_NOT_RUN = "tests were not run"


def usual(level: Level) -> Which:
    """What is run at a checkpoint when nobody says; all of them only as far as that is affordable."""
    return Which.ALL if level is Level.FINAL else Which.AFFECTED


@dataclass(frozen=True)
class Tested:
    """What tests say of a change and of its base, by path."""

    __test__ = False

    current: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    base: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    about: TestRun | None = None
    """Which tests spoke; None: none were run."""
    run: tuple[Result, ...] = ()
    """What became of the tests that ran for this."""
    executing: tuple[str, ...] | None = None
    """Those of them that passed and execute what was changed; None: nothing tells what they execute."""
    chosen: tuple[Chosen, ...] = ()
    """Why they did; empty when all were run."""
    lines: Lines = field(default_factory=dict)
    """What is known of the changed lines, by path."""
    is_whole: bool = True
    """False when the run was ended early; then nothing may be said at all."""


class Tests:
    """The tests of one workspace. Without a service, `reason` says why there is none.

    `look` says whether there may be tests at all; it may block, and is asked once.
    """

    __test__ = False

    def __init__(
        self,
        service: TestService | None,
        reason: str,
        look: Callable[[], bool],
        selecting: Selecting | None = None,
        base: BaseTests | None = None,
        timing: TimingTests | None = None,
        untested: Untested | None = None,
    ) -> None:
        self.service = service
        self.reason = reason
        self._look = look
        self._exist: bool | None = None
        self._selecting = selecting
        self._base = base or BaseTests(service)
        self._covering = Covering(service, selecting) if service and selecting else None
        self._timing = timing
        self._untested = untested or Untested(None)
        self._is_ended = False
        """Whether somebody ended what is run now."""

    @property
    def selecting(self) -> Selecting | None:
        """What knows which tests some texts can affect."""
        return self._selecting

    async def exist(self) -> bool:
        """Whether there may be tests; nothing is run to find out."""
        if self._exist is None:
            self._exist = await asyncio.to_thread(self._look)
        return self._exist

    def files_changed(self, paths: Iterable[str]) -> None:
        """Files were written: there may be tests now, or none any more."""
        if self._selecting is not None:
            self._selecting.files_changed()
        if any(is_test(path) or path in CONFIGURATION for path in paths):
            self._exist = None

    async def of_change(
        self,
        change: Change,
        around: Texts,
        wanted: Wanted,
        on_result: OnResult | None = None,
    ) -> Tested:
        """Run tests over the texts of a change. Who calls has made sure that the person agreed."""
        self._is_ended = False
        if not await self.exist():
            return Tested(await self._untested.reports(change, NO_TESTS))
        if self.service is None or wanted.which is Which.NONE:
            return Tested(await self._untested.reports(change, self.reason or _NOT_RUN))
        now = overlay_of(change, around)
        arcs = covering.paths_measured(change)
        planning = Planning(self._selecting, now, change, wanted)
        planning.begin(self.service.collection)
        run = await self.service.discover(now, arcs=arcs)
        if self._is_ended or run.replaced:
            planning.end()
            return Tested(is_whole=False)
        collection = self.service.collection
        if collection is not None and not run.reason:
            plan = await planning.of(collection)
            ids = plan.ids
            run = await self.service.run(ids, now, on_result, arcs=arcs) if ids != [] else Run()
            return await self._spoken(self.service, change, now, plan, run)
        return Tested(await self._untested.unusable(change, collection, run))

    async def coverage(self, change: Change, around: Texts) -> tuple[Mapping[str, Report], Lines]:
        """What is known of the coverage of a change without running anything."""
        if self._covering is None:
            return await self._untested.coverage(change, self.reason or _NOT_RUN), {}
        try:
            found = await self._covering.of_change(change, overlay_of(change, around))
        except ChildError as error:
            return await self._untested.coverage(change, last_line(error)), {}
        return covering.reports_of(change, found), found

    async def timed(self, tested: Tested, change: Change, around: Texts) -> Tested:
        """What was just said, with how long the tests of the change take beside the base."""
        return tested if self._timing is None else await self._timing.added(tested, change, around)

    async def interrupt(self) -> None:
        """End what is run now; what has ended is noted."""
        self._is_ended = True
        if self.service is not None:
            await asyncio.gather(self.service.interrupt(), self._base.interrupt())

    async def stop(self) -> None:
        """End all processes."""
        stopping = [one.stop() for one in (self.service, self._base, self._selecting) if one is not None]
        await asyncio.gather(*stopping)

    # One run

    async def _spoken(self, service: TestService, change: Change, now: Texts, plan: Plan, run: Run) -> Tested:
        """What all tests together say, after a run of those that were planned."""
        collection = service.collection
        if run.reason or collection is None:
            return Tested(await self._untested.unusable(change, collection, run))
        results = await self._standing(collection, now, plan, run)
        if not results and not collection.items:
            return Tested(await self._untested.reports(change, NO_TESTS))
        flaky, before = await self._judged(service, change, results, run, now)
        is_whole = not (self._is_ended or run.replaced)
        if not is_whole:
            # Of the others nobody knows yet whether they are flaky, or failed before.
            settled = {result.id for result in before}
            results = tuple(r for r in results if not r.is_bad or r.id in settled)
        outcomes = _outcomes(change, collection, results, flaky, before)
        reports = {path: (report,) for path, report in reports_of(outcomes).items()}
        coverage, lines = await self._covered(service, change, now)
        for path, report in coverage.items():
            reports[path] = (*reports.get(path, ()), report)
        failed_before = Outcomes(outcomes.items, tuple(result for result in before if result.is_bad))
        base = {path: (report,) for path, report in reports_of(failed_before).items()}
        about = summary(plan.which, plan.reasons, len(run.results), len(collection.items), _note(plan, run))
        reached = executing(run.results, run.traces, covering.paths_measured(change))
        return Tested(reports, base, about, run.results, reached, plan.reasons, lines, is_whole)

    async def _standing(self, collection: Collection, now: Texts, plan: Plan, run: Run) -> tuple[Result, ...]:
        """The results of this run, and those of other tests as far as they still hold."""
        uncollected = _uncollected(collection, run)
        if self._selecting is None:
            return (*run.results, *uncollected)
        if run.results:
            await self._selecting.ran(run, now)
        ended = {result.id for result in run.results}
        waiting = {one.test for one in plan.chosen} - ended
        standing = await self._selecting.standing(collection.items, waiting)
        return (*standing.values(), *uncollected)

    async def _judged(
        self, service: TestService, change: Change, results: Sequence[Result], run: Run, now: Texts
    ) -> tuple[frozenset[str], tuple[Result, ...]]:
        """Of failing tests, those that pass when run again; and what became of the rest at the base."""
        bad = [result.id for result in results if result.is_bad]
        if self._is_ended or run.replaced:
            return frozenset(), self._base.known(change, bad)
        ended = {result.id for result in run.results}
        known = self._selecting.lasting if self._selecting is not None else frozenset()
        flaky = await self._passing(service, [t for t in bad if t in ended and t not in known], now)
        lasting = frozenset(bad) - flaky
        if self._selecting is not None:
            self._selecting.lasting = lasting
        return flaky, await self._base.results(change, sorted(lasting))

    async def _passing(self, service: TestService, ids: Sequence[str], now: Texts) -> frozenset[str]:
        if not ids:
            return frozenset()
        again = await service.run(ids, now, coverage=False)
        return frozenset(result.id for result in again.results if result.ending is Ending.PASSED)

    async def _covered(
        self, service: TestService, change: Change, now: Texts
    ) -> tuple[Mapping[str, Report], Lines]:
        coverage, lines = await self.coverage(change, now)
        blind = sorted({t for one in lines.values() if isinstance(one, Covered) for t in one.blind})
        if not blind or self._selecting is None:
            return coverage, lines
        run = await service.run(blind, now, arcs=covering.paths_measured(change))
        await self._selecting.ran(run, now)
        return await self.coverage(change, now)


def _outcomes(
    change: Change,
    collection: Collection,
    results: Sequence[Result],
    flaky: frozenset[str],
    before: Iterable[Result],
) -> Outcomes:
    known = {item.id: item for item in collection.items}
    # A file that could not be collected counts as a test that is called like it.
    items = {r.id: Item(r.id, r.id, 0, "") for r in results if r.id not in known} | known
    passed = frozenset(result.id for result in before if result.ending is Ending.PASSED)
    lines = {row.path: row.current.lines for row in change.files if row.current}
    return Outcomes(items, tuple(results), flaky, passed, lines)


def _uncollected(collection: Collection, run: Run) -> tuple[Result, ...]:
    """Files that could not be collected count as a test each: nobody knows how many they hold."""
    errors = {error.id: error for error in (*collection.errors, *run.errors)}
    return tuple(
        Result(error.id or error.failure.problem.path, Ending.ERROR, failure=error.failure)
        for error in errors.values()
    )


def _note(plan: Plan, run: Run) -> str:
    left = f"{len(run.left)} tests had not run when the time was over" if run.left else ""
    return "; ".join(part for part in (plan.note, left) if part)
