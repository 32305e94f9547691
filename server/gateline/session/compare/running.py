"""Runs the tests of a candidate, or of the base, in isolation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline.services.isolation.enclosure import Enclosure, of_interpreter
from gateline.services.tests.options import Limits, TestOptions
from gateline.services.tests.runner import TestRunner
from gateline.session.compare.measured import Suite
from gateline.store.candidates.checkouts import Checkout
from gateline.testing.failing import said
from gateline.testing.result import Ending

_PACKAGE = Path(__file__).parents[2]
"""The far side of the runner lies in it."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How tests are run: the same for the base and all candidates."""

    python: str
    arguments: tuple[str, ...]
    limits: Limits
    enclosure: Enclosure
    instead_of: str
    """The folder of the user's project; what is installed from there is imported from the checkout."""

    async def suite(self, checkout: Checkout, root: Path) -> Suite:
        """Run all tests of a checkout, whose workspace is `root`."""
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
            run = await runner.run(None, {}, coverage=False)
            endings = {result.id: result.ending for result in run.results}
            return Suite(endings, ids, broken or run.reason)
        finally:
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
