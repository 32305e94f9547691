"""Which dimensions could be measured. What is missing is never clean, and one file costs that file alone."""

from __future__ import annotations

from collections.abc import Mapping

from gateline.gates.case import Case
from gateline.gates.due import JUDGED
from gateline.gates.files import BY_FILE, files_availability
from gateline.gates.inputs import Availability
from gateline.gates.sources import NOT_YET, UNKNOWN, errors_availability, is_judged, worst
from gateline.model.finding import Dimension
from gateline.model.measure import State
from gateline.model.report import Report

_UNMEASURED = (State.NO_DATA, State.FAILED)


def availability(case: Case) -> Mapping[Dimension, Availability]:
    """For each dimension whether it was measured, and why not."""
    found: dict[Dimension, list[Report]] = {dimension: [] for dimension in JUDGED}
    for path in sorted(case.reports):
        for report in case.reports[path]:
            found.setdefault(report.dimension, []).append(report)
    silent = _silent(case)
    known = {dimension: _of(reports, silent) for dimension, reports in found.items()}
    untimed = not found[Dimension.PERFORMANCE] and silent.state in UNKNOWN
    if untimed and (why := _why_untimed(case)):
        known[Dimension.PERFORMANCE] = Availability(State.NO_DATA, why)
    known[Dimension.ERRORS] = errors_availability(case, found[Dimension.ERRORS])
    known |= {d: files_availability(d, case.reports) or known[d] for d in BY_FILE}
    if known[Dimension.COVERAGE].state in _UNMEASURED and (why := _why_untraced(case)):
        known[Dimension.COVERAGE] = Availability(State.NO_DATA, why)
    off = Availability(State.NOTHING_TO_JUDGE, "switched off")
    return {dimension: off if dimension in case.off else one for dimension, one in known.items()}


def _silent(case: Case) -> Availability:
    """What it means that a dimension has no report at all."""
    judged = any(map(is_judged, case.change.files))
    return Availability(State.NO_DATA, NOT_YET) if judged else Availability(State.NOTHING_TO_JUDGE)


def _why_untimed(case: Case) -> str:
    """Why nothing will ever be timed; empty where it may be."""
    tests = case.tests
    if tests is not None and tests.state is State.NOTHING_TO_JUDGE:
        return tests.reason
    return "tests did not run" if tests is not None and (tests.chosen or tests.state in UNKNOWN) else ""


def _why_untraced(case: Case) -> str:
    """Why no test was traced, where none ran; the tests' own word names the file or the interpreter."""
    tests = case.tests
    return tests.reason if tests is not None and not tests.run and tests.state in _UNMEASURED else ""


def _of(reports: list[Report], silent: Availability) -> Availability:
    last = worst(reports)
    if last is None:
        return silent
    if last.state in UNKNOWN:
        return Availability(last.state, _why(last))
    states = {report.state for report in reports}
    if State.MEASURED in states:
        return Availability()
    if State.NOT_DUE in states:
        return Availability(State.NO_DATA, f"{last.analyzer}: did not run")
    return Availability(State.NOTHING_TO_JUDGE, last.reason)


def _why(report: Report) -> str:
    """Who has no answer, unless the dimension says so, and why."""
    who = "" if report.reason and report.analyzer == report.dimension else report.analyzer
    return ": ".join(part for part in (who, report.reason) if part)
