"""The sources of the errors dimension: the parser, the type checker and the tests, each by itself.

What one of them could not say makes neither the others' word vanish nor its own part clean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateline.gates.case import Case
from gateline.gates.inputs import Availability
from gateline.model.change import FileChange, FileStatus
from gateline.model.evaluation import SourceState
from gateline.model.measure import State
from gateline.model.report import Report

PARSER, TYPES, TESTS = "parser", "types", "tests"
NOT_YET = "not yet measured"
UNKNOWN = (State.NO_DATA, State.STALE, State.FAILED)
"""The states in which a source did not answer, the mildest first."""
PYTHON = (".py", ".pyi", ".pyw")
_NOT_DUE = (State.NOTHING_TO_JUDGE, State.NOT_DUE)


def errors_availability(case: Case, reports: Sequence[Report]) -> Availability:
    """Whether the errors of a change are known; `reports` are those of the dimension.

    The dimension is measured over the sources that answered. Without the parser it is not: a text that may
    not even be Python has no other errors that mean anything.
    """
    parser = _of(PARSER, case, [report for report in reports if report.analyzer not in (TYPES, TESTS)])
    types, tests = _types(case, reports), _tests(case)
    if parser.state in UNKNOWN:
        return Availability(parser.state, parser.reason, (parser, types, tests))
    sources = (_with_skipped(case, parser), types, tests)
    if any(source.state is State.MEASURED for source in sources):
        return Availability(State.MEASURED, "", sources)
    silent = next((source for source in sources if source.state in UNKNOWN), None)
    if silent is not None:
        return Availability(silent.state, silent.reason, sources)
    return Availability(State.NOTHING_TO_JUDGE, "", sources)


def due(sources: Iterable[SourceState]) -> tuple[SourceState, ...]:
    """The sources that have something to judge."""
    return tuple(source for source in sources if source.state not in _NOT_DUE)


def unanswered(sources: Iterable[SourceState]) -> tuple[SourceState, ...]:
    """The sources that should have answered, and did not."""
    return tuple(source for source in sources if source.state in UNKNOWN)


def told(source: SourceState) -> str:
    """What a source that did not answer comes to, in words: `tests did not run (no pytest)`."""
    verbs = {TESTS: "did not run", TYPES: "were not checked", PARSER: "did not read every file"}
    verb = verbs.get(source.name, "did not answer")
    said = "are out of date" if source.state is State.STALE else verb
    subject = "the parser" if source.name == PARSER else source.name
    return f"{subject} {said}" + (f" ({source.reason})" if source.reason else "")


def worst(reports: Iterable[Report]) -> Report | None:
    """The report that is worst off; of equal ones the first."""
    rank = {state: number for number, state in enumerate(UNKNOWN, start=1)}
    return max(reports, key=lambda report: rank.get(report.state, 0), default=None)


def is_judged(file: FileChange) -> bool:
    """Whether a changed file has a Python text to judge."""
    return file.current is not None and not file.skipped and file.path.endswith(PYTHON)


def _with_skipped(case: Case, parser: SourceState) -> SourceState:
    """A file that was not read costs that file, but then not all was read."""
    skipped = [file for file in case.change.files if file.skipped and file.status is not FileStatus.DELETED]
    if not skipped:
        return parser
    more = f", and {len(skipped) - 1} more" if len(skipped) > 1 else ""
    return SourceState(PARSER, State.NO_DATA, f"{skipped[0].path}: {skipped[0].skipped}{more}")


def _types(case: Case, reports: Sequence[Report]) -> SourceState:
    if TYPES in case.off_sources:
        return SourceState(TYPES, State.NOTHING_TO_JUDGE, "switched off")
    return _of(TYPES, case, [report for report in reports if report.analyzer == TYPES])


def _of(name: str, case: Case, reports: Sequence[Report]) -> SourceState:
    last = worst(reports)
    if last is None:
        judged = any(map(is_judged, case.change.files))
        return (
            SourceState(name, State.NO_DATA, NOT_YET) if judged else SourceState(name, State.NOTHING_TO_JUDGE)
        )
    if last.state in UNKNOWN:
        return SourceState(name, last.state, last.reason)
    states = {report.state for report in reports}
    if State.MEASURED in states:
        return SourceState(name, State.MEASURED)
    if State.NOT_DUE in states:
        return SourceState(name, State.NO_DATA, f"{name} did not run")
    return SourceState(name, State.NOTHING_TO_JUDGE, last.reason)


def _tests(case: Case) -> SourceState:
    if case.change.is_empty:
        return SourceState(TESTS, State.NOTHING_TO_JUDGE, "nothing changed")
    if case.tests is None:
        return SourceState(TESTS, State.NO_DATA, "tests were not requested")
    return SourceState(TESTS, case.tests.state, case.tests.reason)
