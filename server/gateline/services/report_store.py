"""The worker's own copies of the reports that it made, so that a verdict need not bring them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cachetools import LRUCache

from gateline.gates.case import Case
from gateline.model import Report, State
from gateline.services.requests import Judge, Missing, Named

KEPT = 40_000
"""Findings and measures that are kept, and one for each report: about 25 MB."""


class ReportStore:
    """Reports by name; the ones that were asked for longest ago are dropped first."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._reports: LRUCache[str, Report] = LRUCache(kept, self._size)

    def keep(self, name: str, report: Report) -> None:
        """Remember a report; none that failed, which would be made again."""
        if name and report.state is not State.FAILED:
            self._reports[name] = report

    def case_of(self, request: Judge) -> Case | Missing:
        """What is to be judged; which reports are missing for that, where some are."""
        for name, report in request.sent.items():
            self.keep(name, report)
        sides = (request.reports, request.base_reports)
        names = {one for side in sides for found in side.values() for one in found if isinstance(one, str)}
        # What was sent counts also where it finds no place here.
        known = {name: request.sent.get(name) or self._reports.get(name) for name in sorted(names)}
        if missing := tuple(name for name, report in known.items() if report is None):
            return Missing(missing)
        reports = {name: report for name, report in known.items() if report is not None}
        now, before = (_whole(side, reports) for side in sides)
        return replace(request.case, reports=now, base_reports=before)

    def _size(self, report: Report) -> int:
        # What is larger than the store has it alone.
        return min(1 + len(report.findings) + len(report.measures), self._kept)


def _whole(side: Named, reports: dict[str, Report]) -> dict[str, Sequence[Report]]:
    return {
        path: tuple(reports[one] if isinstance(one, str) else one for one in found)
        for path, found in side.items()
    }
