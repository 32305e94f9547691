"""Which tests fail at the base, too: asked of a runner of its own, so that the change's tests stay warm."""

from __future__ import annotations

from collections.abc import Iterable

from gateline.model import Change
from gateline.session.base import SESSION
from gateline.session.selecting import base_of
from gateline.session.test_services import TestService
from gateline.testing.result import Result


class BaseTests:
    """Remembers what became of tests at the base, as long as that is the same."""

    def __init__(self, service: TestService | None) -> None:
        self.service = service
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
            run = await self.service.run(unknown, base_of(change), coverage=False)
            self._known |= {result.id: result for result in run.results}
        return tuple(self._known[test] for test in tests if test in self._known)

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
