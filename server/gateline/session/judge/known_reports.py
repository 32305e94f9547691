"""Reports that the worker made, and the names under which it keeps them, too."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from gateline.gates.case import Case
from gateline.model import Report
from gateline.services.requests import Judge, Named

_MOST = 8192


class KnownReports:
    """The newest reports by name. A name stands for one content, options and analyzer.

    Only a report that came from here is sent by its name: what was made of it since is another one, even
    where it is equal.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._reports: OrderedDict[str, Report] = OrderedDict()
        self._names: dict[int, str] = {}
        """By the identity of the report, which lives as long as it is in here."""

    def get(self, name: str) -> Report | None:
        """A report; None when it is not known (any more)."""
        report = self._reports.get(name)
        if report is not None:
            self._reports.move_to_end(name)
        return report

    def put(self, name: str, report: Report) -> None:
        """Remember a report in place of one of the same name."""
        old = self._reports.pop(name, None)
        if old is not None:
            self._names.pop(id(old), None)
        self._reports[name] = report
        self._names[id(report)] = name
        if len(self._reports) > self._most:
            _, oldest = self._reports.popitem(last=False)
            self._names.pop(id(oldest), None)

    def asked(self, case: Case, without_integrity: str = "") -> Judge:
        """The request to judge a case, with names in the place of reports that the worker made."""
        now, before = self._named(case.reports), self._named(case.base_reports)
        return Judge(case.without_reports(), now, before, without_integrity=without_integrity)

    def names(self, case: Case) -> dict[str, Report]:
        """The reports of a case that have names, by name."""
        sides = (*case.reports.values(), *case.base_reports.values())
        found = ((self._names.get(id(report)), report) for reports in sides for report in reports)
        return {name: report for name, report in found if name is not None}

    def _named(self, reports: Mapping[str, Sequence[Report]]) -> Named:
        names = self._names
        return {path: tuple(names.get(id(one), one) for one in found) for path, found in reports.items()}
