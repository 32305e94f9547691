"""The two sides of a change, now and base: their texts, and what was found in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from gateline.gates.case import Case
from gateline.model.document import Document
from gateline.model.finding import Finding
from gateline.model.measure import Measure, State
from gateline.model.report import Report
from gateline.model.source import Source

MakeSource = Callable[[Document], Source]


@dataclass(frozen=True, slots=True)
class Side:
    """One side: documents and reports by path."""

    documents: Mapping[str, Document]
    reports: Mapping[str, Sequence[Report]]
    make: MakeSource

    def source(self, path: str) -> Source | None:
        """The source at `path`; None where there is no text."""
        document = self.documents.get(path)
        return None if document is None else self.make(document)

    def findings(self) -> Iterator[Finding]:
        """Everything that was found, each finding once, by path."""
        found = chain.from_iterable(r.findings for path in sorted(self.reports) for r in self.reports[path])
        return iter(dict.fromkeys(found))

    def measures(self, path: str) -> tuple[Measure, ...]:
        """What was measured at `path`."""
        measured = (r.measures for r in self.reports.get(path, ()) if r.state is State.MEASURED)
        return tuple(chain.from_iterable(measured))

    def lines(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The lines of the documents at `paths`."""
        return {path: self.documents[path].lines for path in paths if path in self.documents}

    def state_of(self, path: str, analyzer: str) -> State | None:
        """The state of one analyzer's report; None when there is none."""
        return next((r.state for r in self.reports.get(path, ()) if r.analyzer == analyzer), None)


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides, and how their paths correspond."""

    now: Side
    base: Side
    renames: Mapping[str, str]
    """From the path now to the path in the base, where they differ."""

    def base_path(self, path: str) -> str:
        """The path in the base of the file that is at `path` now."""
        return self.renames.get(path, path)


def sides(case: Case, make: MakeSource) -> Sides:
    """The two sides of `case`. An unchanged file has the same text on both."""
    # Of what is no Python only those of which something is known.
    files = (*case.change.files, *(f for f in case.change.others if f.path in case.reports))
    now = {f.path: f.current for f in files if f.current is not None}
    base = {f.base.path: f.base for f in files if f.base is not None}
    renames = {f.path: f.base.path for f in files if f.base is not None and f.base.path != f.path}
    return Sides(
        Side({**case.unchanged, **now}, case.reports, make),
        Side({**case.unchanged, **base}, case.base_reports, make),
        renames,
    )


def measured(reports: Mapping[str, Sequence[Report]], name: str) -> Iterator[float]:
    """What all reports measured of this name, by path."""
    found = (m for path in reports for r in reports[path] if r.state is State.MEASURED for m in r.measures)
    return (measure.value for measure in found if measure.name == name)
