"""Runs the tests that a change needs, and those that fail once more: now, and at the base."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gateline.model import Change, Level, Report, State, TestRun
from gateline.services.child import ChildError, last_line
from gateline.services.tests.laying import LayingError
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Collection, Run
from gateline.session.tests import covering, unrun
from gateline.session.tests.base_results import BaseRun, BaseTests
from gateline.session.tests.covering import Covering, Lines
from gateline.session.tests.covering_base import CoveringBase, NothingOfBase
from gateline.session.tests.outcomes import (
    Before,
    Sum,
    before,
    compared,
    endings_of,
    had_tests,
    joined,
    lost_tests,
    may_miss,
    names,
    spoken,
    start_place,
)
from gateline.session.tests.planning import Planning
from gateline.session.tests.selecting import Plan, Selecting, Wanted, Which, overlay_of
from gateline.session.tests.services import OnResult, TestService
from gateline.session.tests.tested import Tested as Tested
from gateline.session.tests.unrun import NO_TESTS, NOT_RUN
from gateline.session.tests.untested import Untested
from gateline.testing.comparable import executing
from gateline.testing.covered import Covered
from gateline.testing.failing import of_start, said
from gateline.testing.naming import CONFIGURATION, is_test
from gateline.testing.result import Ending, Result

if TYPE_CHECKING:
    from gateline.session.tests.timing import TimingTests

__all__ = ["NO_TESTS", "OnResult", "Tested", "Tests", "Wanted", "Which", "usual"]


def usual(level: Level) -> Which:
    """What is run at a checkpoint when nobody says; all of them only as far as that is affordable."""
    return Which.ALL if level is Level.FINAL else Which.AFFECTED


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
        *,
        covering_base: CoveringBase | None = None,
        absent: TestRun | None = None,
        command: Sequence[str] = ("python", "-m", "pytest"),
    ) -> None:
        """`absent` says more of `reason`; `command` is what runs the tests, as a person would type it."""
        self.service = service
        self.absent = absent or TestRun("none", state=State.NO_DATA, reason=reason)
        self._command = tuple(command)
        self.reason = reason
        self._look = look
        self._exist: bool | None = None
        self._selecting = selecting
        self._base = base or BaseTests(service)
        self._covering = Covering(service, selecting) if service and selecting else None
        self._at_base = covering_base or NothingOfBase()
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
        around: Overlay,
        wanted: Wanted,
        on_result: OnResult | None = None,
    ) -> Tested:
        """Run tests over the texts of a change. Who calls has made sure that the person agreed."""
        self._is_ended = False
        absence = await self._absence(change, wanted)
        if absence is not None or self.service is None:
            return await self._unrun(change, absence or self.absent)
        now = overlay_of(change, around)
        arcs = covering.paths_measured(change)
        self._at_base.begin(change)
        planning = Planning(self._selecting, now, change, wanted)
        planning.begin(self.service.collection)
        try:
            run = await self.service.discover(now, arcs=arcs)
        except LayingError as error:
            planning.end()
            return await self._unrun(change, unrun.unlaid(wanted.which, str(error)))
        if self._is_ended or run.replaced:
            planning.end()
            return Tested(about=unrun.ended(wanted.which), is_whole=False)
        await self._at_base.ready()
        collection = self.service.collection
        if collection is not None and not run.reason:
            plan = await planning.of(collection)
            ids = plan.ids
            self._begin(change, plan)
            run = await self.service.run(ids, now, on_result, arcs=arcs) if ids != [] else Run()
            return await self._spoken(self.service, change, now, plan, run)
        return await self._unstarted(change, wanted.which, run)

    async def coverage(self, change: Change, around: Overlay) -> tuple[Mapping[str, Report], Lines]:
        """What is known of the coverage of a change without running anything."""
        if self._covering is None:
            return await self._untested.coverage(change, self.reason or NOT_RUN), {}
        try:
            found = await self._covering.of_change(change, overlay_of(change, around))
        except ChildError as error:
            return await self._untested.coverage(change, last_line(error)), {}
        return covering.reports_of(change, found), found

    async def timed(self, tested: Tested, change: Change, around: Overlay) -> Tested:
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

    async def _absence(self, change: Change, wanted: Wanted) -> TestRun | None:
        """Why nothing is run; None when it can be."""
        if not await self.exist() and not had_tests(change):
            return unrun.none_there()
        if self.service is None:
            return self.absent
        return unrun.not_wanted() if wanted.which is Which.NONE else None

    async def _unrun(self, change: Change, about: TestRun, state: State = State.NO_DATA) -> Tested:
        reason = NO_TESTS if about.state is State.NOTHING_TO_JUDGE else self.reason or NOT_RUN
        return Tested(await self._untested.reports(change, reason, state), about=about)

    async def _unstarted(self, change: Change, which: Which, run: Run) -> Tested:
        """Nothing could be collected: a floor, where that is possible at the base."""
        failure = next((error.failure for error in run.errors), None)
        reason = said(failure) if failure else run.reason
        about = unrun.cannot_start(which, self._command[0], reason)
        reports = dict(await self._untested.unusable(change, None, run))
        base = await self._base.collected(change) if about.state is State.FAILED else BaseRun()
        if base.can_start and base.items:
            place = start_place(change, failure)
            report = of_start(place, failure, reason, len(base.items))
            reports[place] = (*reports.get(place, ()), report)
            about = replace(about, total=len(base.items))
        return Tested(reports, about=about)

    # One run

    async def _spoken(
        self, service: TestService, change: Change, now: Overlay, plan: Plan, run: Run
    ) -> Tested:
        """What all tests together say, after a run of those that were planned."""
        collection = service.collection
        if run.reason or collection is None:
            return await self._unstarted(change, plan.which, run)
        results = await self._standing(collection, now, plan, run)
        await self._base.ready()
        flaky, earlier = await self._judged(service, change, results, run, now)
        is_whole = not (self._is_ended or run.replaced)
        if not is_whole:
            # Of the others nobody knows yet whether they are flaky, or failed before.
            results = tuple(r for r in results if not r.is_bad or r.id in earlier.settled)
        base = await self._beside(change, plan, run, collection) if is_whole else BaseRun()
        lost = lost_tests(change, collection, run, base, self._base.gone)
        if lost and is_whole:
            base = await self._base.confirmed(change)
            lost = lost_tests(change, collection, run, base, self._base.gone)
        if not (results or collection.items or lost):
            return await self._unrun(change, await self._empty(plan.which))
        reports, failed_before = Sum(collection, results, lost, flaky, earlier, base).reports(change)
        coverage, lines = await self._covered(service, change, now)
        current = joined(reports, coverage)
        about = compared(spoken(plan, run, collection, results, lost), results, flaky, earlier)
        about = replace(about, endings=endings_of(results, lost, flaky)) if results or lost else about
        failed_before = joined(failed_before, await self._at_base.reports(change))
        reached = executing(run.results, run.traces, covering.paths_measured(change))
        return Tested(current, failed_before, about, run.results, reached, plan.reasons, lines, is_whole)

    async def _beside(self, change: Change, plan: Plan, run: Run, collection: Collection) -> BaseRun:
        """What the base collects, where something of that may be missing; at the end always."""
        known = await self._selecting.known() if self._selecting is not None else {}
        files = await self._selecting.files() if self._selecting is not None else ()
        if plan.which is Which.ALL or may_miss(change, collection, run, known, files):
            return await self._base.collected(change)
        return self._base.known

    async def _empty(self, which: Which) -> TestRun:
        """Pytest collects no test: because there is none, or in spite of files that hold some."""
        is_due = await self.exist()
        return unrun.nothing_collected(which, self._command) if is_due else unrun.none_there()

    def _begin(self, change: Change, plan: Plan) -> None:
        """What can be found out while tests run."""
        if self._covering is not None:
            self._covering.begin(change)
        if plan.which is Which.ALL:
            self._base.begin(change)

    async def _standing(
        self, collection: Collection, now: Overlay, plan: Plan, run: Run
    ) -> tuple[Result, ...]:
        """The results of this run, and those of other tests as far as they still hold."""
        if self._selecting is None:
            return run.results
        if run.results:
            await self._selecting.ran(run, now)
        ended = names(run.results)
        waiting = {one.test for one in plan.chosen} - ended
        return tuple((await self._selecting.standing(collection.items, waiting)).values())

    async def _judged(
        self, service: TestService, change: Change, results: Sequence[Result], run: Run, now: Overlay
    ) -> tuple[frozenset[str], Before]:
        """Of failing tests, those that pass when run again; and what became of the rest at the base."""
        bad = [result.id for result in results if result.is_bad]
        if self._is_ended or run.replaced:
            return frozenset(), Before(results=self._base.remembered(change, bad))
        ended = {result.id for result in run.results}
        known = self._selecting.lasting if self._selecting is not None else frozenset()
        flaky = await self._passing(service, [t for t in bad if t in ended and t not in known], now)
        lasting = frozenset(bad) - flaky
        if self._selecting is not None:
            self._selecting.lasting = lasting
        return flaky, await before(self._base, change, service.collection, sorted(lasting))

    async def _passing(self, service: TestService, ids: Sequence[str], now: Overlay) -> frozenset[str]:
        if not ids:
            return frozenset()
        again = await service.run(ids, now, coverage=False)
        return frozenset(result.id for result in again.results if result.ending is Ending.PASSED)

    async def _covered(
        self, service: TestService, change: Change, now: Overlay
    ) -> tuple[Mapping[str, Report], Lines]:
        coverage, lines = await self.coverage(change, now)
        blind = sorted({t for one in lines.values() if isinstance(one, Covered) for t in one.blind})
        if not blind or self._selecting is None:
            return coverage, lines
        run = await service.run(blind, now, arcs=covering.paths_measured(change))
        await self._selecting.ran(run, now)
        return await self.coverage(change, now)
