"""What is said of a change whose tests say nothing: why, and what reports of other tools know."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from gateline.model import Change, Dimension, Report, State
from gateline.services.tests.run import Collection, Run
from gateline.session.tests import covering
from gateline.session.tests.coverage_reports import CoverageReports
from gateline.testing.failing import NAME

Reports = Mapping[str, tuple[Report, ...]]


class Untested:
    """Without `reports`, coverage is just not known."""

    def __init__(self, reports: CoverageReports | None) -> None:
        self._reports = reports

    async def reports(self, change: Change, reason: str, state: State = State.NO_DATA) -> Reports:
        """The reports when no tests were run. Where tests failed to run, errors are not known either."""
        more = (Report(NAME, Dimension.ERRORS, state, reason),) if state is State.FAILED else ()
        found = await self.coverage(change, reason, state)
        return {path: (report, *more) for path, report in found.items()}

    async def unusable(self, change: Change, collection: Collection | None, run: Run) -> Reports:
        """The reports of a run that came to nothing: without a usable pytest there are just no data."""
        failures = [error.failure.explanation for error in run.errors if not error.id]
        reason = run.reason or next(iter(failures), "the run was ended")
        return await self.reports(change, reason, State.NO_DATA if collection is None else State.FAILED)

    async def coverage(
        self, change: Change, reason: str, state: State = State.NO_DATA
    ) -> Mapping[str, Report]:
        """What reports of other tools say, and of other files the reason."""
        absent = covering.all_absent(change, reason, state)
        if self._reports is None:
            return absent
        return absent | await asyncio.to_thread(self._reports.of_change, change)
