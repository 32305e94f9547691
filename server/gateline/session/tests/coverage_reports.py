"""Coverage reports that other tools left in the workspace: believed of files that were not written since."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline.model import Change, Document, FileChange, Report
from gateline.session.tests.covering import changed_in, measured
from gateline.session.workspace.reading import read
from gateline.testing.coverage_report import report_of
from gateline.testing.reports.report import Report as Foreign
from gateline.testing.reports.report import ReportError, mapped, usable

log = logging.getLogger(__name__)
_LARGEST = 100_000_000
"""Bytes above which a report is not read."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A report, and which of its paths means which file of the change."""

    name: str
    made: float
    report: Foreign
    meant: dict[str, str]


class CoverageReports:
    """Reads reports at these places, relative to the root. All methods block."""

    def __init__(self, root: Path, names: Sequence[str]) -> None:
        self._root = root
        self._names = names

    def of_change(self, change: Change) -> dict[str, Report]:
        """What reports say of the changed files, the newest first; of files that one can be believed of."""
        saved = {row.path: row for row in measured(change) if row.current and self._is_saved(row.current)}
        if not saved:
            return {}
        written = {path: (self._root / path).stat().st_mtime for path in saved}
        reports: dict[str, Report] = {}
        for found in sorted(self._found(list(saved)), key=lambda found: -found.made):
            fresh = usable(found.made, written)
            for path, meant in found.meant.items():
                if meant in fresh and meant not in reports:
                    reports[meant] = _report(saved[meant], found, path)
        return reports

    def _is_saved(self, document: Document) -> bool:
        """Whether the text is what the disk has: reports speak of nothing else."""
        file = read(self._root, document.path, _LARGEST)
        return isinstance(file, Document) and file.digest == document.digest

    def _found(self, paths: Sequence[str]) -> Iterator[_Found]:
        # Late: most projects have no such file, and the server keeps what it imports.
        from gateline.testing.reports.parse import parse

        for name in self._names:
            file = self._root / name
            try:
                if not file.is_file() or file.stat().st_size > _LARGEST:
                    continue
                made = file.stat().st_mtime
                report = parse(file.read_text(encoding="utf-8", errors="replace"))
            except (OSError, ReportError) as error:
                log.warning("the coverage report %s cannot be used: %s", file, error)
                continue
            meant = mapped(report, self._root.as_posix(), paths)
            yield _Found(name, report.made if report.made is not None else made, report, meant)


def _report(row: FileChange, found: _Found, path: str) -> Report:
    assert row.current is not None
    covered = found.report.files[path].covered(changed_in(row))
    return report_of(row.path, row.current.lines, covered, f"as {found.name} says")
