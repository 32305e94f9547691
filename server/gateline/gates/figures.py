"""The numbers of a report: measures, which the content decides, and timings, which vary from run to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from gateline.gates.case import Case
from gateline.gates.due import is_due
from gateline.gates.inputs import Availability, Coverage, GateInput
from gateline.gates.sides import measured
from gateline.model.evaluation import Figure, TestRun
from gateline.model.finding import Dimension
from gateline.model.measure import State
from gateline.model.report import Report


def measures(given: GateInput, case: Case) -> tuple[Figure, ...]:
    """What the texts and the tests' traces come to; the same content gives the same numbers."""
    after = [f.complexity_after for f in given.functions if f.complexity_after is not None]
    before = [f.complexity_before for f in given.functions if f.complexity_before is not None]
    documented = [item.after for item in given.documented]
    documented_before = [item.before for item in given.documented if item.before is not None]
    coverage = given.coverage
    shown = (
        (Dimension.COMPLEXITY, Figure("complexity_mean", "", _mean(after), _mean(before))),
        (Dimension.COMPLEXITY, Figure("complexity_worst", "", _worst(after), _worst(before))),
        (Dimension.DOCUMENTATION, Figure("documentation", "", _mean(documented), _mean(documented_before))),
        (Dimension.DUPLICATION, Figure("duplicated_lines", "%", _percent(given.duplicated))),
        (Dimension.SECURITY, Figure("secret_risk", "", _risk(case.reports))),
        (Dimension.COVERAGE, Figure("coverage", "%", _percent(_share(coverage)))),
        (Dimension.COVERAGE, Figure("base_coverage", "%", _percent(coverage.before if coverage else None))),
    )
    return tuple(_with_state(figure, given.availability.get(d, Availability())) for d, figure in shown)


def timings(case: Case) -> tuple[Figure, ...]:
    """What tests took: measured beside the base where that was possible, else in the run of the change."""
    if not is_due(Dimension.PERFORMANCE, case.level):
        return ()
    tests = case.tests
    latency = next(measured(case.reports, "latency"), tests.latency if tests else None)
    memory = next(measured(case.reports, "peak_memory"), tests.peak_memory if tests else None)
    latency_before, memory_before = (
        next(measured(case.base_reports, name), None) for name in ("latency", "peak_memory")
    )
    return (
        _timing("test_latency", "ms", latency, latency_before, tests),
        _timing("peak_memory", "MB", memory, memory_before, tests),
    )


def _with_state(figure: Figure, known: Availability) -> Figure:
    """The figure, where its dimension is measured; else why there is none."""
    if known.state is not State.MEASURED:
        return replace(figure, value=None, state=known.state, reason=known.reason)
    state = State.NOTHING_TO_JUDGE if figure.value is None else State.MEASURED
    return replace(figure, state=state, reason=known.reason)


def _share(coverage: Coverage | None) -> float | None:
    return coverage.covered / coverage.executable if coverage else None


def _worst(values: Sequence[float]) -> float | None:
    return max(values, default=None)


def _timing(name: str, unit: str, value: float | None, before: float | None, tests: TestRun | None) -> Figure:
    if value is not None:
        return Figure(name, unit, round(value, 2), None if before is None else round(before, 2))
    if tests is None or tests.state is State.MEASURED:
        return Figure(name, unit, None, None, State.NO_DATA, "no test ran for this")
    return Figure(name, unit, None, None, tests.state, tests.reason)


def _mean(values: Sequence[float | bool]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100.0 * share, 1)


def _risk(reports: Mapping[str, Sequence[Report]]) -> float | None:
    """The chance that at least one secret is exposed, 0-1; None where nobody looked."""
    found = list(measured(reports, "exposure"))
    return round(1 - prod(1 - risk for risk in found), 6) if found else None
