"""From what is known of changed lines to a report: its numbers, and a finding for what no test executes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gateline.model import Dimension, Finding, Measure, Report, Span, State, Weight
from gateline.testing.base_coverage import BaseCoverage, FileCoverage
from gateline.testing.covered import Covered
from gateline.testing.outline import Exit

NAME = "coverage"
UNCOVERED, BRANCH = "GTL210", "GTL211"


def absent(reason: str, state: State = State.NO_DATA) -> Report:
    """The report of coverage that is not known, or that is not to be known."""
    return Report(NAME, Dimension.COVERAGE, state, reason)


def report_of(path: str, lines: Sequence[str], covered: Covered, source: str = "") -> Report:
    """What tests execute of the changed lines of one file.

    `source` names another tool's report that this was taken from; empty when the tests were run.
    """
    if covered.stale:
        return absent(_unknown(path, covered.stale), State.STALE)
    if not covered.measured:
        return absent("no changed line is executable", State.NOTHING_TO_JUDGE)
    # A branch to a line that nothing executes is told there.
    into = {way.arc[1]: way for way in reversed(covered.untaken)}
    found = [_uncovered(path, lines, group, into.get(group[0])) for group in _groups(covered)]
    found += [_missing(path, lines, way) for way in covered.untaken if way.arc[1] not in covered.missed]
    measures = (
        Measure("executable", float(covered.measured)),
        Measure("covered", float(covered.covered)),
        *(_of_functions(covered.file) if covered.file else ()),
    )
    ordered = tuple(sorted(found, key=lambda finding: finding.sort_key))
    return Report(NAME, Dimension.COVERAGE, State.MEASURED, source, ordered, measures)


def base_reports(known: BaseCoverage, paths: Sequence[tuple[str, str]]) -> dict[str, Report]:
    """What tests execute of the base, for files with these paths now and then (empty: it is new).

    The first of them has what all of the base comes to.
    """
    total = known.total
    rows: dict[str, tuple[Measure, ...]] = {
        before: tuple(_of_functions(known.files[before])) for _, before in paths if before in known.files
    }
    if paths and total.executable:
        first = paths[0][1] or paths[0][0]
        whole = (Measure("executable", total.executable), Measure("covered", total.covered))
        rows[first] = (*whole, *rows.get(first, ()))
    return {path: Report(NAME, Dimension.COVERAGE, measures=found) for path, found in rows.items()}


def _of_functions(file: FileCoverage) -> Iterator[Measure]:
    for function in file.functions:
        share = function.counted.share
        if share is not None:
            yield Measure("function_coverage", 100 * share, function.symbol, function.line)


def _groups(covered: Covered) -> Iterable[tuple[int, ...]]:
    """Missed lines that nothing executed stands between."""
    group: list[int] = []
    for line in sorted(covered.missed | covered.executed):
        if line in covered.missed:
            group.append(line)
        elif group:
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)


def _uncovered(path: str, lines: Sequence[str], group: Sequence[int], way: Exit | None) -> Finding:
    first, last = group[0], group[-1]
    end = Span.of_line(last, _text(lines, last)).end
    start = Span.of_line(first, _text(lines, first)).start
    return Finding(
        code=UNCOVERED,
        path=path,
        span=Span(start, end),
        message=f"no test executes {_named(first, last, len(group))}{f': {way.missing}' if way else ''}",
        dimension=Dimension.COVERAGE,
        weight=Weight.COUNTS,
    )


def _named(first: int, last: int, number: int) -> str:
    if number == 1:
        return f"the changed line {first + 1}"
    return f"the {number} changed lines from {first + 1} to {last + 1}"


def _missing(path: str, lines: Sequence[str], way: Exit) -> Finding:
    line = way.arc[0]
    return Finding(
        code=BRANCH,
        path=path,
        span=Span.of_line(line, _text(lines, line)),
        message=f"no test takes this branch: {way.missing or f'from line {line + 1}'}",
        dimension=Dimension.COVERAGE,
        weight=Weight.COUNTS,
    )


def _text(lines: Sequence[str], line: int) -> str:
    return lines[line] if line < len(lines) else ""


def _unknown(path: str, stale: frozenset[int]) -> str:
    lines = "a changed line" if len(stale) == 1 else f"{len(stale)} changed lines"
    return f"{lines} of {path}: the tests that may execute them have not run since"
