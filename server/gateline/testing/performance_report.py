"""From what tests take to a report: its numbers, and a finding for each test that became slower."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from gateline.model import Dimension, Finding, Measure, Report, Span, State, Weight
from gateline.testing.performance import Performance, Slower
from gateline.testing.result import Item

NAME = "performance"
SLOWER = "GTL710"
_MEGABYTE = 1_000_000


def absent(reason: str, state: State = State.NO_DATA) -> Report:
    """The report of performance that is not known, or that is not to be known."""
    return Report(NAME, Dimension.PERFORMANCE, state, reason)


def reports_of(
    path: str, found: Performance, items: Mapping[str, Item], note: str = ""
) -> tuple[dict[str, Report], dict[str, Report]]:
    """What is said now and of the base: the numbers at `path`, findings in the files of the tests."""
    findings: dict[str, list[Finding]] = defaultdict(list)
    for slower in found.slower:
        if (item := items.get(slower.test)) is not None:
            findings[item.path].append(_finding(slower, item))
    now = {p: _report(rows) for p, rows in findings.items() if p != path}
    own = _measures(found.latency, found.peak, found.grade.points)
    now[path] = _report(findings[path], own, note)
    return now, {path: _report((), _measures(found.latency_before, found.peak_before))}


def _report(findings: Sequence[Finding], measures: tuple[Measure, ...] = (), note: str = "") -> Report:
    return Report(NAME, Dimension.PERFORMANCE, State.MEASURED, note, tuple(findings), measures)


def _measures(latency: float, peak: int | None, points: float | None = None) -> tuple[Measure, ...]:
    memory = () if peak is None else (Measure("peak_memory", peak / _MEGABYTE),)
    grade = () if points is None else (Measure("grade_points", points),)
    return (Measure("latency", 1000 * latency), *memory, *grade)


def _finding(slower: Slower, item: Item) -> Finding:
    return Finding(
        code=SLOWER,
        path=item.path,
        span=Span.of(item.line, 0, item.line, 0),
        message=f"`{item.function}` takes {_said(slower.times)} as at the base",
        dimension=Dimension.PERFORMANCE,
        weight=Weight.ADVICE,
        symbol=item.function,
        line_text=slower.test,
    )


def _said(times: float) -> str:
    """Without times: the same change is told alike on every machine."""
    return f"at least {times:g} times as long"
