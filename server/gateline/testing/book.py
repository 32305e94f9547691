"""All that is known of a project's tests, and the two questions that are asked of it.

chosen = book.select(now, change)
covered = book.covered(now, change, {"shop/cart.py": (outline, changed_lines)})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gateline.model.document import Document
from gateline.model.source import Source
from gateline.testing.book_base import BookOfBase
from gateline.testing.coverage_map import CoverageMap, Recorded
from gateline.testing.covered import Coverage, Covered
from gateline.testing.graph import ImportGraph
from gateline.testing.outline import Outline
from gateline.testing.reason import Cause
from gateline.testing.region import regions_of
from gateline.testing.result import Item, Result
from gateline.testing.selection import Chosen, Tests, select
from gateline.testing.staleness import Now, Staleness
from gateline.testing.trace import Trace

Asked = Mapping[str, tuple[Outline, frozenset[int]]]
"""By path: the outline of the newest text, and its changed lines, zero-based."""


class Book:
    """Kept up to date by every collection and every run."""

    def __init__(self) -> None:
        self.known = CoverageMap()
        self.results: dict[str, Result] = {}
        """The newest of each test."""
        self.openings: dict[str, float] = {}
        """Of tests that opened a run: seconds until the result, with all that it alone had to wait for."""
        self.items: dict[str, Item] = {}
        self.imported: Recorded | None = None
        """What importing and collecting executed when the book was written last."""
        self._graph = ImportGraph()
        self._is_collected = False
        """There is a new collection, and the files were not looked at since."""

    def collected(
        self,
        items: Iterable[Item],
        imported: Trace,
        contents: Mapping[str, str],
        *,
        whole: bool = True,
        plugins: Iterable[str] = (),
        libraries: frozenset[str] = frozenset(),
    ) -> None:
        """Another collection: these tests there are, importing executed this, of these contents.

        It is not `whole` when some files could not be collected: their tests are not gone. `plugins` are
        files of the project that pytest loaded as such, `libraries` top-level modules loaded from elsewhere.
        """
        self.items = {item.id: item for item in items}
        self._graph.plug_in(plugins)
        self.known.libraries = libraries
        self.known.take([imported], contents, moment=self.known.history.moment)
        self._is_collected = True
        gone = self.results.keys() - self.items.keys()
        # A test that is not there now may come back, as with the branch that it is on.
        if whole and len(gone) > len(self.items):
            self.results = {test: result for test, result in self.results.items() if test not in gone}
            self.openings = {test: seconds for test, seconds in self.openings.items() if test not in gone}
            self.known.forget(gone)

    def ran(
        self,
        results: Iterable[Result],
        traces: Iterable[Trace],
        contents: Mapping[str, str],
        opening: tuple[str, float] | None = None,
    ) -> None:
        """Another run, of these contents. Of a test that left no trace only its result is known.

        `opening` is the test that ran first, and the seconds until its result.
        """
        if opening is not None:
            self.openings[opening[0]] = opening[1]
        traces = list(traces)
        ended = {result.id: result for result in results}
        self.results |= ended
        self.known.take(
            traces, contents, ended.keys() - {trace.test for trace in traces}, self.known.history.moment
        )

    def see(self, now: Now) -> None:
        """The texts as they are now, soon after a run: what it executed can be compared with them later."""
        self._graph.update(now.texts, now.digests)
        self.known.keep(now.texts, now.digests)

    def paths(self) -> set[str]:
        """All files that must be in `Now`."""
        return self.known.paths()

    def select(self, now: Now, change: Iterable[str]) -> tuple[Chosen, ...]:
        """The tests that this change can affect, and that did not run since."""
        return self._selected(now, change)[1]

    def covered(self, now: Now, change: Iterable[str], asked: Asked) -> dict[str, Covered]:
        """What is known of the changed lines of these files."""
        staleness, chosen = self._selected(now, change)
        # A test that failed and was not touched since is measured all the same.
        waiting = [one.test for one in chosen if {reason.cause for reason in one.reasons} - {Cause.FAILED}]
        coverage = Coverage(self.known, staleness, self._graph, self.items.values(), waiting)
        found = {}
        for path, (outline, lines) in asked.items():
            text = now.texts.get(path)
            regions = () if text is None else regions_of(Source(Document(path, text)))
            digest = now.digests.get(path, "")
            found[path] = coverage.of(path, outline, lines, digest, regions)
        return found

    def of_base(self, base: Now) -> BookOfBase:
        """What is known of a base with these files."""
        return BookOfBase(self.known, self.imported, self._graph, base)

    def _look(self, project: Mapping[str, str]) -> None:
        """Take in all files; a new collection was made of them."""
        history = self.known.history
        history.see(project)
        if self._is_collected and self.known.imported is not None:
            self.known.imported = replace(self.known.imported, moment=history.moment)
        self._is_collected = False

    def _selected(self, now: Now, change: Iterable[str]) -> tuple[Staleness, tuple[Chosen, ...]]:
        self._graph.update(now.texts, now.digests)
        if now.project is not None:
            self._look(now.project)
        staleness = Staleness(self.known, self._graph, now)
        tests = Tests(list(self.items.values()), self.known, self.results, self.openings)
        return staleness, select(tests, staleness, self._graph, list(change))
