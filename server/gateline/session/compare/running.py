"""Runs the tests of a candidate, or of the base, in isolation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateline.services.isolation.enclosure import Enclosure, of_interpreter
from gateline.services.tests.options import Limits, TestOptions
from gateline.services.tests.run import Run
from gateline.services.tests.runner import TestRunner
from gateline.session.compare.measured import Suite, is_lost
from gateline.store.candidates.checkouts import Checkout
from gateline.testing.failing import said
from gateline.testing.result import Ending, Result

_PACKAGE = Path(__file__).parents[2]
"""The far side of the runner lies in it."""


@dataclass(slots=True)
class Watch:
    """Ends the run of a candidate that a test refuses. Of the base nothing is known before it has run."""

    first: tuple[str, ...] = ()
    """Tests that refused somebody lately: they run before all others."""
    opening: asyncio.Future[frozenset[str]] = field(default_factory=lambda: asyncio.Future())
    """Those of them that pass at the base when they run first."""
    passing: frozenset[str] | None = None
    """The tests that pass at the base, as soon as that is known."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How tests are run: the same for the base and all candidates."""

    python: str
    arguments: tuple[str, ...]
    limits: Limits
    enclosure: Enclosure
    instead_of: str
    """The folder of the user's project; what is installed from there is imported from the checkout."""

    async def suite(
        self, checkout: Checkout, root: Path, watch: Watch | None = None, *, is_base: bool = False
    ) -> Suite:
        """Run all tests of a checkout, whose workspace is `root`.

        With a `watch` that of a candidate may end before, and that of the base tells it what passes.
        """
        runner = TestRunner(self._options(checkout, root))
        try:
            found = await runner.discover({})
            collected = runner.collection
            if found.errors:
                return Suite(reason=said(found.errors[0].failure))
            if collected is None or found.reason:
                return Suite(reason=found.reason or "nothing could be collected")
            ids = frozenset(item.id for item in collected.items)
            broken = "; ".join(said(error.failure) for error in collected.errors)
            if watch is not None and not is_base:
                return await _watched(runner, ids, broken, watch)
            if watch is not None:
                watch.opening.set_result(_passing(await _opened(runner, ids, watch.first)))
            run = await runner.run(None, {}, coverage=False)
            suite = Suite(_endings(run), ids, broken or run.reason)
            if watch is not None:
                watch.passing = suite.passing
            return suite
        finally:
            if watch is not None and is_base and not watch.opening.done():
                # Nobody waits for what will not be told.
                watch.opening.set_result(frozenset())
            await runner.stop()

    async def some(self, checkout: Checkout, root: Path, tests: Sequence[str]) -> Mapping[str, Ending]:
        """How these tests of a checkout end; who cannot be collected is left out."""
        runner = TestRunner(self._options(checkout, root))
        try:
            await runner.discover({})
            there = {item.id for item in runner.collection.items} if runner.collection else set()
            wanted = [test for test in tests if test in there]
            if not wanted:
                return {}
            run = await runner.run(wanted, {}, coverage=False)
            return {result.id: result.ending for result in run.results if result.id in there}
        finally:
            await runner.stop()

    def closed(self, checkout: Checkout) -> Enclosure:
        """What closes a checkout in: it may be written, and what the interpreter needs be read."""
        readable = (_PACKAGE, *of_interpreter(Path(self.python)))
        return self.enclosure.granting(readable=readable, writable=(checkout.files,))

    def _options(self, checkout: Checkout, root: Path) -> TestOptions:
        grown = self.closed(checkout)
        return TestOptions(
            root,
            self.python,
            self.arguments,
            self.limits,
            sandbox=False,
            instead_of=self.instead_of,
            enclosed=lambda program, private: grown.granting(writable=(private,)).command(
                program, checkout.home
            ),
        )


async def _opened(runner: TestRunner, ids: frozenset[str], first: Sequence[str]) -> Mapping[str, Ending]:
    """How the tests end that run before all others; nothing where none is there."""
    wanted = [test for test in first if test in ids]
    return _endings(await runner.run(wanted, {}, coverage=False)) if wanted else {}


async def _watched(runner: TestRunner, ids: frozenset[str], broken: str, watch: Watch) -> Suite:
    """A suite of a candidate, which ends with the first test that passes at the base and not here."""
    opening = await _opened(runner, ids, watch.first)
    passing = await asyncio.shield(watch.opening) if opening else frozenset()
    for test, ending in opening.items():
        if is_lost(test, ending, passing):
            return Suite(opening, ids, broken, test)
    refusing: list[str] = []
    ended: list[asyncio.Task[None]] = []

    def heard(result: Result) -> None:
        if not refusing and watch.passing is not None and is_lost(result.id, result.ending, watch.passing):
            refusing.append(result.id)
            ended.append(asyncio.create_task(runner.interrupt()))

    run = await runner.run(None, {}, heard, coverage=False)
    await asyncio.gather(*ended)
    return Suite(_endings(run), ids, broken or ("" if refusing else run.reason))


def _endings(run: Run) -> Mapping[str, Ending]:
    return {result.id: result.ending for result in run.results}


def _passing(endings: Mapping[str, Ending]) -> frozenset[str]:
    return frozenset(test for test, ending in endings.items() if ending is Ending.PASSED)
