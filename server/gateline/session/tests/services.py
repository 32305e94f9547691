"""What the tests of a workspace are asked through; the real ones are in `services.tests`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Collection, Run
from gateline.testing.base_coverage import BaseCoverage
from gateline.testing.book import Asked
from gateline.testing.covered import Covered
from gateline.testing.outline import Outline, Outlined
from gateline.testing.result import Result
from gateline.testing.selection import Chosen

OnResult = Callable[[Result], None]


class TestService(Protocol):
    """What runs tests: `services.tests.runner.TestRunner`."""

    @property
    def collection(self) -> Collection | None:
        """All tests there are, once they were collected."""
        ...

    async def discover(self, overlay: Overlay, *, arcs: Sequence[str] = ()) -> Run:
        """Collect, unless what is collected stands for these texts."""
        ...

    async def run(
        self,
        ids: Sequence[str] | None,
        overlay: Overlay,
        on_result: OnResult | None = ...,
        *,
        coverage: bool = True,
        arcs: Sequence[str] = (),
        recollect: bool = True,
    ) -> Run:
        """Run these tests (None: all) over unsaved texts; without `recollect` on what is collected now."""
        ...

    async def run_whole(self, overlay: Overlay) -> Run:
        """Run all tests, and tell what they execute together in one trace."""
        ...

    async def outlines(self, texts: Mapping[str, str]) -> Mapping[str, Outlined]:
        """What can be executed in these texts. Raises ChildError where nobody can tell of any."""
        ...

    async def interrupt(self) -> None:
        """End what is run now; it answers with what it has so far."""
        ...

    async def stop(self) -> None:
        """End all processes."""
        ...


class BookService(Protocol):
    """What is known of tests: `services.tests.book.TestBook`. All methods raise ChildError."""

    async def collected(self, collection: Collection, overlay: Overlay) -> None:
        """Note a collection."""
        ...

    async def ran(self, run: Run, overlay: Overlay) -> None:
        """Note a run."""
        ...

    async def results(self) -> tuple[Result, ...]:
        """What became of each test when it ran last."""
        ...

    async def select(
        self, overlay: Overlay, files: Iterable[str], change: Iterable[str]
    ) -> tuple[Chosen, ...]:
        """The tests that a change can affect, and that did not run since."""
        ...

    async def covered(
        self, overlay: Overlay, files: Iterable[str], change: Iterable[str], asked: Asked
    ) -> Mapping[str, Covered]:
        """What is known of changed lines."""
        ...

    async def texts_of_base(self, overlay: Overlay, files: Iterable[str]) -> Mapping[str, str]:
        """The texts of a base that tests execute."""
        ...

    async def coverage_of_base(
        self, overlay: Overlay, files: Iterable[str], outlines: Mapping[str, Outline]
    ) -> BaseCoverage:
        """What tests execute of these files of a base."""
        ...

    async def stop(self) -> None:
        """Write the book, and end its process."""
        ...
