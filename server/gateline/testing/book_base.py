"""What a book knows of a base: where nothing changed since its tests ran, as when a change was committed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from gateline.model.document import Document
from gateline.model.source import Source
from gateline.testing.base_coverage import BaseCoverage, FileCoverage
from gateline.testing.coverage_map import CoverageMap, Recorded
from gateline.testing.covered import Coverage
from gateline.testing.graph import ImportGraph
from gateline.testing.naming import is_tests
from gateline.testing.outline import Outline
from gateline.testing.region import regions_of
from gateline.testing.result import Item
from gateline.testing.staleness import Now, Staleness


class BookOfBase:
    """One base, asked of the traces there are; `imported` is what importing executed before this session."""

    def __init__(self, known: CoverageMap, imported: Recorded | None, graph: ImportGraph, base: Now) -> None:
        """`base` has the files of the base."""
        self._known = known
        self._imported = known.imported or imported
        self._base = base
        graph.update(base.texts, base.digests)
        self._graph = graph

    def texts(self) -> Mapping[str, str]:
        """The texts of the base that tests execute, and are no tests; nothing where imports do not hold."""
        with self._as_imported():
            if not Staleness(self._known, self._graph, self._base).imports_hold():
                return {}
        traces = [one.trace for one in (*self._known, *([self._imported] if self._imported else []))]
        paths = sorted({path for trace in traces for path in trace.files})
        return {p: self._base.texts[p] for p in paths if p in self._base.texts and not is_tests(p)}

    def coverage(self, outlines: Mapping[str, Outline]) -> BaseCoverage:
        """What tests execute of these texts; without the files of which that is not certain."""
        with self._as_imported():
            staleness = Staleness(self._known, self._graph, self._base)
            items = [Item(one.trace.test, one.trace.test.partition("::")[0], 0, "") for one in self._known]
            of = {item.id: item.path for item in items}
            stale = [one.trace.test for one in self._known if staleness.reasons(one, of[one.trace.test])]
            coverage = Coverage(self._known, staleness, self._graph, items, stale)
            found = {path: self._file(coverage, path, outline) for path, outline in sorted(outlines.items())}
        files = {path: file for path, file in found.items() if file is not None}
        return BaseCoverage(files, whole=len(files) == len(self.texts()))

    def _file(self, coverage: Coverage, path: str, outline: Outline) -> FileCoverage | None:
        regions = regions_of(Source(Document(path, self._base.texts[path])))
        return coverage.of(path, outline, (), self._base.digests.get(path, ""), regions).file

    @contextmanager
    def _as_imported(self) -> Iterator[None]:
        """Before tests are collected, what importing executed is only known from the last session."""
        before = self._known.imported
        self._known.imported = self._imported
        try:
            yield
        finally:
            self._known.imported = before
