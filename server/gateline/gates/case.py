"""What is judged, as one value that can be sent to another process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.model.change import Change
from gateline.model.document import Document
from gateline.model.evaluation import TestRun
from gateline.model.finding import Dimension
from gateline.model.level import Level, Progress
from gateline.model.policy import Policy
from gateline.model.report import Report
from gateline.model.waiver import Waiver


@dataclass(frozen=True, slots=True)
class Case:
    """A change with everything that was found out about it. Paths are relative to the workspace root."""

    policy: Policy
    level: Level
    progress: Progress
    change: Change
    reports: Mapping[str, Sequence[Report]] = field(default_factory=dict)
    """What analyzers say now, by path; also of unchanged files that the change affects."""
    base_reports: Mapping[str, Sequence[Report]] = field(default_factory=dict)
    """The same of the base, by the base's path. An analyzer that has none here looks at changed lines only:
    all that it finds is new."""
    unchanged: Mapping[str, Document] = field(default_factory=dict)
    """The texts of unchanged files that have reports, by path."""
    around: Mapping[str, Document] = field(default_factory=dict)
    """The unchanged files that import what the change touches, by path; its tests are among them."""
    ignored: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The beginnings of codes that the settings leave out, by path (`Settings.ignored`)."""
    tests: TestRun | None = None
    """Which tests spoke of the change, or why none did; None: tests were not looked for."""
    waivers: tuple[Waiver, ...] = ()
    """What a person accepts: of the base, or of whoever asks."""
    notes: tuple[str, ...] = ()
    """What else is to be told, of waivers that are wrong."""
    off: frozenset[Dimension] = frozenset()
    """Dimensions that the settings switch off: nothing to judge, rather than no data."""
    off_sources: frozenset[str] = frozenset()
    """The same of one source of a dimension: `types`."""

    def without_reports(self) -> Case:
        """The same before anything was found out."""
        return replace(self, reports={}, base_reports={})
