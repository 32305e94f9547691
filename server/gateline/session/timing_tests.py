"""Times the tests of a change beside the base, in turns, as far as the time for it allows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.model import Change, Report, State
from gateline.services.child import ChildError, last_line
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Run
from gateline.session.selecting import base_of, overlay_of
from gateline.session.test_services import TestService
from gateline.session.testing import Tested
from gateline.testing.comparable import edited_functions
from gateline.testing.performance import FEWEST, MOST, Round, Sample, performance
from gateline.testing.performance_report import absent, reports_of
from gateline.testing.result import Ending, Item, Result

_SHARE = 0.7
"""Of the time there is, what tests themselves may take; the rest is for starting them."""
_BLIND = "without coverage in the project's environment nothing tells which tests execute what was changed"
_OFF = "tests.performance-budget is 0"
_INTERRUPTED = "the tests were interrupted"

_Samples = Mapping[str, Sample]


@dataclass(frozen=True)
class _Both:
    """The texts of both sides, and the tests that are run on them."""

    before: Overlay
    now: Overlay
    tests: tuple[str, ...]


class TimingTests:
    """Runs the same tests at the base and now. What was measured once for the same texts is remembered."""

    def __init__(
        self,
        now: TestService,
        base: TestService,
        budget: float,
        clock: Callable[[], float] = time.monotonic,
        overlay: Callable[[Change], Awaitable[Overlay]] | None = None,
    ) -> None:
        """`budget` is in seconds; 0: nothing is timed. `overlay` gives the files of the base."""
        self._overlay = overlay or _texts_of_base
        self._services = base, now
        self._budget = budget
        self._clock = clock
        self._known: tuple[object, tuple[dict[str, Report], dict[str, Report]]] | None = None

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

    async def _reports(
        self, path: str, tested: Tested, change: Change, around: Overlay
    ) -> tuple[dict[str, Report], dict[str, Report]]:
        if not self._budget or tested.executing is None:
            return {path: absent(_BLIND if self._budget else _OFF)}, {}
        edited = await asyncio.to_thread(_edited, change)
        collection = self._services[1].collection
        items = {item.id: item for item in (collection.items if collection else ())}
        tests = [t for t in tested.executing if t in items and not _is_edited(items[t], edited)]
        if not tests:
            return {path: absent("no test executes what was changed", State.NOTHING_TO_JUDGE)}, {}
        fitting = _fitting(tests, tested.run, self._budget * _SHARE)
        left_out = f"{len(tests) - len(fitting)} of {len(tests)} tests take too long to be timed"
        if not fitting:
            return {path: absent(left_out)}, {}
        timing = _Timing(
            self._services, _Both(await self._overlay(change), overlay_of(change, around), fitting)
        )
        try:
            return await self._timed(path, timing, items, left_out if len(fitting) < len(tests) else "")
        except ChildError as error:
            return {path: absent(last_line(error), State.FAILED)}, {}

    async def _timed(
        self, path: str, timing: _Timing, items: Mapping[str, Item], left_out: str
    ) -> tuple[dict[str, Report], dict[str, Report]]:
        await timing.warm()
        # From here on: what it takes to collect the tests of the base says nothing of the change.
        end = self._clock() + self._budget
        if not timing.both.tests:
            reason = "no test that passes at the base executes what was changed"
            return {path: absent(reason, State.NOTHING_TO_JUDGE)}, {}
        while self._clock() < end and len(timing.rounds) < MOST and not timing.stopped:
            await timing.go_round()
        if timing.stopped:
            return {path: absent(timing.stopped)}, {}
        if len(timing.rounds) < FEWEST:
            told = f"{FEWEST} rounds take longer than tests.performance-budget ({self._budget:g} s)"
            return {path: absent(told)}, {}
        return reports_of(path, performance(timing.rounds), items, left_out)


@dataclass
class _Timing:
    """The rounds so far. Whoever begins takes turns."""

    services: tuple[TestService, TestService]
    both: _Both
    rounds: list[Round] = field(default_factory=list)
    stopped: str = ""
    """Why there can be no more rounds."""

    async def warm(self) -> None:
        """Run each side once, uncounted, and keep the tests that pass on both."""
        before, now = [await self._run(place) for place in (0, 1)]
        passing = tuple(test for test in self.both.tests if test in before and test in now)
        self.both = replace(self.both, tests=passing)

    async def go_round(self) -> None:
        """One round: both sides, one right after the other."""
        order = (0, 1) if len(self.rounds) % 2 else (1, 0)
        sides = {place: await self._run(place) for place in order}
        missing = [test for test in self.both.tests if any(test not in side for side in sides.values())]
        if missing and not self.stopped:
            self.stopped = f"{missing[0]} does not pass every time"
        if not self.stopped:
            self.rounds.append(Round(sides[0], sides[1]))

    async def _run(self, place: int) -> _Samples:
        texts = (self.both.before, self.both.now)[place]
        run: Run = await self.services[place].run(list(self.both.tests), texts, coverage=False)
        if run.replaced or run.left:
            self.stopped = _INTERRUPTED if run.replaced else "the time for tests was over"
        passed = (result for result in run.results if result.ending is Ending.PASSED)
        return {result.id: Sample(result.seconds, result.memory) for result in passed}


async def _texts_of_base(change: Change) -> Overlay:
    return base_of(change)


def _fitting(tests: Sequence[str], results: Sequence[Result], seconds: float) -> tuple[str, ...]:
    """The quickest tests, as many as both sides run in all rounds that are needed, and once before."""
    took = {result.id: result.seconds for result in results}
    found, spent = [], 0.0
    for test in sorted(tests, key=lambda test: (took.get(test, 0.0), test)):
        spent += 2 * (FEWEST + 1) * took.get(test, 0.0)
        if spent <= seconds:
            found.append(test)
    return tuple(found)


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
