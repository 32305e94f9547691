"""Which dimensions could be measured. One report that failed is enough: what is missing is never clean."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateline.gates.case import Case
from gateline.gates.due import JUDGED
from gateline.gates.inputs import Availability
from gateline.model.finding import Dimension
from gateline.model.measure import State
from gateline.model.report import Report

NOT_YET = "not yet measured"
_PYTHON = (".py", ".pyi", ".pyw")
_WORST = MappingProxyType(
    {state: rank for rank, state in enumerate((State.NO_DATA, State.STALE, State.FAILED), start=1)}
)


def availability(case: Case) -> Mapping[Dimension, Availability]:
    """For each dimension whether it was measured, and why not."""
    found: dict[Dimension, list[Report]] = {dimension: [] for dimension in JUDGED}
    for path in sorted(case.reports):
        for report in case.reports[path]:
            found.setdefault(report.dimension, []).append(report)
    silent = _silent(case)
    return {
        d: _of(reports, Availability(State.NOTHING_TO_JUDGE, "switched off") if d in case.off else silent)
        for d, reports in found.items()
    }


def _silent(case: Case) -> Availability:
    """What it means that a dimension has no report at all."""
    judged = any(f.current and not f.skipped and f.path.endswith(_PYTHON) for f in case.change.files)
    return Availability(State.NO_DATA, NOT_YET) if judged else Availability(State.NOTHING_TO_JUDGE)


def _of(reports: list[Report], silent: Availability) -> Availability:
    worst = max(reports, key=lambda report: _WORST.get(report.state, 0), default=None)
    if worst is None:
        return silent
    if worst.state in _WORST:
        return Availability(worst.state, _why(worst))
    states = {report.state for report in reports}
    if State.MEASURED in states:
        return Availability()
    if State.NOT_DUE in states:
        return Availability(State.NO_DATA, f"{worst.analyzer}: did not run")
    return Availability(State.NOTHING_TO_JUDGE, worst.reason)


def _why(report: Report) -> str:
    """Who has no answer, unless the dimension says so, and why."""
    who = "" if report.reason and report.analyzer == report.dimension else report.analyzer
    return ": ".join(part for part in (who, report.reason) if part)
