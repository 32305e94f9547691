"""Whether tests became slower: by the ordinary runs of both sides, and in turns where those suspect some."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.model import Change, Report, State
from gateline.services.child import ChildError, last_line
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Run
from gateline.session.tests.selecting import base_of, overlay_of
from gateline.session.tests.services import TestService
from gateline.session.tests.testing import Tested
from gateline.testing.comparable import edited_functions
from gateline.testing.performance import (
    ROUNDS,
    Round,
    Sample,
    Samples,
    performance,
    quicker,
    still_slower,
    suspects,
)
from gateline.testing.performance_report import absent, reports_of
from gateline.testing.result import Ending, Item, Result

_BLIND = "coverage.py is not installed in the project's environment, so the tests of the change are unknown"
_OFF = "tests.performance-budget is 0"
_INTERRUPTED = "the tests were interrupted"
_SHARE = 0.7
"""Of the time there is, what tests themselves may take; the rest is for starting them."""

BaseTimes = Callable[[Change], Mapping[str, Result]]
"""What became of tests in a run of all of them at the base of a change, followed by coverage."""
_Reports = tuple[dict[str, Report], dict[str, Report]]
"""Of now and of the base, by path."""


class TimingTests:
    """Compares what tests take with the base. What was said once of the same texts is remembered."""

    def __init__(
        self,
        now: TestService,
        base: TestService,
        budget: float,
        clock: Callable[[], float] = time.monotonic,
        overlay: Callable[[Change], Awaitable[Overlay]] | None = None,
        times: BaseTimes = lambda change: {},
    ) -> None:
        """`budget` is in seconds; 0: nothing is timed. `overlay` gives the files of the base."""
        self._overlay = overlay or _texts_of_base
        self._services = base, now
        self._budget = budget
        self._clock = clock
        self._times = times
        self._known: tuple[object, _Reports] | None = None

    async def added(self, tested: Tested, change: Change, around: Overlay) -> Tested:
        """What tests say of a change, and how long they take. Who calls has made sure that they may run."""
        path = next((row.path for row in change.files if row.current and not row.skipped), "")
        if not path or not tested.run or not tested.is_whole:
            return tested
        key = (change, tested.executing)
        if self._known is None or self._known[0] != key:
            self._known = key, await self._reports(path, tested, change, around)
        now, before = self._known[1]
        return replace(tested, current=_joined(tested.current, now), base=_joined(tested.base, before))

    async def _reports(self, path: str, tested: Tested, change: Change, around: Overlay) -> _Reports:
        if not self._budget or tested.executing is None:
            return {path: absent(_BLIND if self._budget else _OFF)}, {}
        edited = await asyncio.to_thread(_edited, change)
        collection = self._services[1].collection
        items = {item.id: item for item in (collection.items if collection else ())}
        tests = [t for t in tested.executing if t in items and not _is_edited(items[t], edited)]
        if not tests:
            return {path: absent("no test executes the changed code", State.NOTHING_TO_JUDGE)}, {}
        now = _passed(tested.run)
        try:
            before = await self._before(tests, now, change)
            if before is None:
                return {path: absent("the tests of the change take too long to be timed at the base")}, {}
            if not any(test in before for test in tests):
                reason = "no test that passes at the base executes the changed code"
                return {path: absent(reason, State.NOTHING_TO_JUDGE)}, {}
            suspected = await self._looked_again(before, now, tests, overlay_of(change, around))
            timing = _Timing(self._services, suspected)
            await timing.go(self._clock, self._budget, await self._both(timing, change, around))
            if timing.stopped:
                return {path: absent(timing.stopped)}, {}
            return reports_of(path, performance(before, now, tests, timing.rounds), items)
        except ChildError as error:
            return {path: absent(last_line(error), State.FAILED)}, {}

    async def _before(self, tests: Sequence[str], now: Samples, change: Change) -> Samples | None:
        """What tests took at the base; None where it takes too long to find out."""
        known = _passed(self._times(change).values())
        if known:
            return known
        if sum(now[test].seconds for test in tests if test in now) > self._budget * _SHARE:
            return None
        run = await self._services[0].run(list(tests), await self._overlay(change))
        return None if run.replaced else _passed(run.results)

    async def _looked_again(
        self, before: Samples, now: Samples, tests: Sequence[str], texts: Overlay
    ) -> tuple[str, ...]:
        """The tests that look slower in a second ordinary run, too: mostly that spares the base's runner."""
        suspected = suspects(before, now, tests)
        if not suspected:
            return ()
        again = _passed((await self._services[1].run(list(suspected), texts)).results)
        return suspects(before, {**now, **quicker(now, again)}, suspected)

    async def _both(self, timing: _Timing, change: Change, around: Overlay) -> _Both:
        before = await self._overlay(change) if timing.tests else {}
        return _Both(before, overlay_of(change, around))


@dataclass(frozen=True)
class _Both:
    """The texts of both sides."""

    before: Overlay
    now: Overlay


@dataclass
class _Timing:
    """The rounds so far, of the tests that were slower in all of them."""

    services: tuple[TestService, TestService]
    tests: tuple[str, ...]
    rounds: list[Round] = field(default_factory=list)
    stopped: str = ""
    """Why there can be no more rounds."""

    async def go(self, clock: Callable[[], float], budget: float, both: _Both) -> None:
        """Run rounds until no test is suspected any more, or there were enough."""
        end: float | None = None
        while self.tests and len(self.rounds) < ROUNDS and not self.stopped:
            if end is not None and clock() >= end:
                self.stopped = f"{ROUNDS} rounds take longer than tests.performance-budget ({budget:g} s)"
                return
            await self._go_round(both)
            # From the first on: what it takes to collect the tests of the base says nothing of the change.
            end = end if end is not None else clock() + budget

    async def _go_round(self, both: _Both) -> None:
        """Both sides, one right after the other; whoever begins takes turns."""
        order = (0, 1) if len(self.rounds) % 2 else (1, 0)
        sides = {place: await self._run(place, both) for place in order}
        missing = [test for test in self.tests if any(test not in side for side in sides.values())]
        if missing and not self.stopped:
            self.stopped = f"{missing[0]} is flaky"
        if not self.stopped:
            found = Round(sides[0], sides[1])
            self.tests = still_slower(found, self.tests)
            self.rounds.append(found)

    async def _run(self, place: int, both: _Both) -> Samples:
        texts = (both.before, both.now)[place]
        run: Run = await self.services[place].run(list(self.tests), texts, coverage=False)
        if run.replaced or run.left:
            self.stopped = _INTERRUPTED if run.replaced else "the time limit for tests was reached"
        return _passed(run.results)


async def _texts_of_base(change: Change) -> Overlay:
    return base_of(change)


def _passed(results: Iterable[Result]) -> dict[str, Sample]:
    passed = (result for result in results if result.ending is Ending.PASSED)
    return {result.id: Sample(result.seconds, result.memory) for result in passed}


def _joined(
    tested: Mapping[str, tuple[Report, ...]], more: Mapping[str, Report]
) -> dict[str, tuple[Report, ...]]:
    return {**tested, **{path: (*tested.get(path, ()), report) for path, report in more.items()}}


def _edited(change: Change) -> dict[str, frozenset[str]]:
    """By path: the functions that are not as at the base. Parses: in a thread."""
    rows = ((row.path, row.base, row.current) for row in change.files if not row.skipped)
    return {path: edited_functions(base.text if base else "", now.text) for path, base, now in rows if now}


def _is_edited(item: Item, edited: Mapping[str, Collection[str]]) -> bool:
    """Whether a test is not the one that the base has: then its time tells nothing of the product."""
    return item.function in edited.get(item.path, ())
