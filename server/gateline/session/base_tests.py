"""Which tests fail at the base, too.

Where the change only exchanges bodies of functions, the runner of the change has an answer in
milliseconds: it exchanges them back for one run. Otherwise it would have to collect anew, and once more
afterwards; then another runner is asked, which collects once and stays as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from gateline.model import Change, FileChange
from gateline.services.tests.run import Run
from gateline.session.base import SESSION
from gateline.session.selecting import base_of
from gateline.session.test_services import TestService
from gateline.testing.difference import difference
from gateline.testing.result import Result


class BaseTests:
    """Remembers what became of tests at the base, as long as that is the same."""

    def __init__(self, service: TestService | None, now: TestService | None = None) -> None:
        """`now` is the runner of the change; None to leave that alone."""
        self.service = service
        self._now = now
        self._base: object = None
        self._known: dict[str, Result] = {}

    async def results(self, change: Change, tests: Iterable[str]) -> tuple[Result, ...]:
        """What became of these tests at the base of a change; of those that there are there."""
        tests = list(tests)
        if self.service is None or not tests:
            return ()
        self._look_at(change)
        unknown = [test for test in tests if test not in self._known]
        if unknown:
            run = await self._exchanged_back(change, unknown)
            if run is None or run.reason:
                run = await self.service.run(unknown, base_of(change), coverage=False)
            self._known |= {result.id: result for result in run.results}
        return tuple(self._known[test] for test in tests if test in self._known)

    async def _exchanged_back(self, change: Change, tests: Sequence[str]) -> Run | None:
        """A run in the nearer way. It has a reason where a body ran while the tests were collected."""
        if self._now is None or not await asyncio.to_thread(exchanges_bodies, change):
            return None
        return await self._now.run(tests, base_of(change), coverage=False, recollect=False)

    def known(self, change: Change, tests: Iterable[str]) -> tuple[Result, ...]:
        """The same, of those that are known without running anything."""
        self._look_at(change)
        return tuple(self._known[test] for test in tests if test in self._known)

    async def interrupt(self) -> None:
        """End what is run now; what has ended is known."""
        if self.service is not None:
            await self.service.interrupt()

    async def stop(self) -> None:
        """End the service."""
        if self.service is not None:
            await self.service.stop()

    def _look_at(self, change: Change) -> None:
        """Forget what is known of another base. Without git it is what each file held when first opened."""
        texts = tuple((row.base.path, row.base.digest) for row in change.files if row.base)
        base = (change.base, texts if change.base == SESSION else ())
        if base != self._base:
            self._base, self._known = base, {}


def exchanges_bodies(change: Change) -> bool:
    """Whether a change does nothing but give functions other bodies. May take some milliseconds a file."""
    return not change.others and all(_exchanges_bodies(row) for row in change.files)


def _exchanges_bodies(row: FileChange) -> bool:
    if row.base is None or row.current is None or row.base.path != row.path:
        return False
    there, back = (difference(*texts) for texts in _both_ways(row.base.text, row.current.text))
    return not (there.at_import or back.at_import or there.added or back.added)


def _both_ways(one: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one, other), (other, one)
