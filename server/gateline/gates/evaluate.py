"""Joins the gates: from a change and the reports about it to an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from gateline.gates import floors
from gateline.gates.actions import possible_actions, required_actions
from gateline.gates.availability import availability
from gateline.gates.case import Case
from gateline.gates.decide import Counts, decide
from gateline.gates.figures import measures, timings
from gateline.gates.functions import COMPLEX_FUNCTION
from gateline.gates.gaps import gaps, next_steps, stated_gaps
from gateline.gates.inputs import Coverage, DocumentedChange, GateInput, counts
from gateline.gates.score import evidence, score
from gateline.gates.screening import Screened, screen
from gateline.gates.sides import MakeSource, measured, sides
from gateline.gates.touched import Touched, touched
from gateline.gates.waivers import idle
from gateline.gates.worse import with_worse
from gateline.model.change import EVERYTHING, Change
from gateline.model.document import Document, digest_of
from gateline.model.evaluation import Evaluation, FileSummary, FunctionChange, Score, TestRun, Thresholds
from gateline.model.finding import Finding
from gateline.model.level import Level
from gateline.model.measure import State
from gateline.model.policy import Policy
from gateline.model.source import Source

__all__ = ["Case", "judge"]

Judged = TypeVar("Judged", FunctionChange, DocumentedChange)

MISSING_DOCSTRING = "GTL501"
TYPE_ERROR = "GTL110"
_NAMED = 5
"""Files that were not looked through are named, so many of them."""
FAILING_TEST = "GTL201"


def judge(case: Case, source: MakeSource = Source) -> Evaluation:
    """The evaluation of a change. The same case gives the same evaluation.

    `source` makes the source of a document; give one that remembers, where texts come again.
    """
    both = sides(case, source)
    screened = screen(case, both)
    extent = touched(case, both)
    worse = with_worse(case.policy, screened.findings, extent.functions)
    screened = replace(screened, findings=worse)
    given = _given(case, screened, extent)
    result = score(case.policy, case.level, given)
    actions = possible_actions(case.policy, case.level, given, result)
    counted = _counts(case, screened.findings, result)
    missing = gaps(result, case.tests) if case.level is Level.FINAL else ()
    required = required_actions(case.policy, (*actions, *next_steps(missing)))
    decision = decide(case.policy, case.level, result, counted, required, missing)
    return Evaluation(
        level=case.level,
        progress=case.progress,
        base=case.change.base,
        base_label=case.change.base_label,
        score=result,
        decision=replace(decision, reasons=(*decision.reasons, *map(str, screened.accepted))),
        findings=screened.findings,
        suppressed=screened.suppressed,
        accepted=screened.accepted,
        suppressions_added=screened.suppressions_added,
        fixed=screened.fixed,
        files=extent.files,
        others=tuple(FileSummary(row.path, row.status.value, row.skipped) for row in case.change.others),
        functions=extent.functions,
        limits=(*_limits(case, result), *case.notes, *idle(case.waivers, screened.accepted)),
        actions=actions,
        thresholds=_thresholds(case.policy),
        tests=_tests(case.tests, counted),
        content=content_name(case.change),
        profile=case.policy.profile,
        measures=measures(given, case),
        timings=timings(case),
    )


def content_name(change: Change) -> str:
    """A short name of the texts on both sides of a change: that of `Evaluation.content`."""
    rows = sorted((*change.files, *change.others), key=lambda row: row.path)
    sides = ("\0".join((row.path, row.skipped, _digest(row.base), _digest(row.current))) for row in rows)
    return digest_of("\n".join((change.base, *sides)))[:16]


def _digest(document: Document | None) -> str:
    return "" if document is None else document.digest


def _tests(tests: TestRun | None, counted: Counts) -> TestRun | None:
    """Which tests spoke, with how many of them fail: of tests that did not run that is not known."""
    if tests is None or tests.state is not State.MEASURED:
        return tests
    return replace(tests, failing=counted.failing_tests)


def _thresholds(policy: Policy) -> Thresholds:
    return Thresholds(
        policy.final_accept,
        policy.final_conditional,
        policy.evidence,
        policy.floor_cap,
        policy.integrity_cap,
        policy.trajectory_drop,
        policy.trajectory_rise,
    )


def _given(case: Case, screened: Screened, extent: Touched) -> GateInput:
    return GateInput(
        availability=availability(case),
        findings=screened.findings,
        functions=_admitted(case, extent.judged_functions, COMPLEX_FUNCTION, screened),
        documented=_admitted(case, extent.documented, MISSING_DOCSTRING, screened),
        duplicated=extent.duplicated,
        coverage=_coverage(case),
        performance=_performance(case),
        credit=len(screened.fixed),
        everything=case.change.base_label == EVERYTHING,
    )


def _admitted(case: Case, items: Sequence[Judged], code: str, screened: Screened) -> tuple[Judged, ...]:
    """The items whose finding, `code`, is left out neither by the settings nor by a comment or a person."""
    out = (*screened.suppressed, *(row.finding for row in screened.accepted))
    hidden = {(f.path, f.span.start.line) for f in out if f.code == code}
    return tuple(
        item
        for item in items
        if (item.path, item.line) not in hidden
        and not code.startswith(tuple(case.ignored.get(item.path, ())))
    )


def _counts(case: Case, findings: Iterable[Finding], result: Score) -> Counts:
    counting = [f.code for f in findings if counts(case.policy, f) for _ in range(f.stands_for)]
    run = int(sum(measured(case.reports, "tests_run")))
    syntax, types, failing = map(counting.count, (floors.SYNTAX_ERROR, TYPE_ERROR, FAILING_TEST))
    chose = case.tests is not None and case.tests.chosen
    enough = evidence(case.policy, result.parts, without_tests=True) if chose else None
    return Counts(syntax, types, run, failing, enough)


def _coverage(case: Case) -> Coverage | None:
    executable = sum(measured(case.reports, "executable"))
    before, covered_before = (sum(measured(case.base_reports, n)) for n in ("executable", "covered"))
    if not executable:
        return None
    share = covered_before / before if before else None
    return Coverage(int(sum(measured(case.reports, "covered"))), int(executable), share)


def _performance(case: Case) -> float | None:
    return next(measured(case.reports, "grade_points"), None)


def _limits(case: Case, result: Score) -> Iterable[str]:
    yield from case.change.limits
    yield from (f"{f.path}: skipped ({f.skipped})" for f in case.change.files if f.skipped)
    unread = [f"{f.path}: not scanned ({f.skipped})" for f in case.change.others if f.is_unread]
    yield from unread[:_NAMED]
    if len(unread) > _NAMED:
        yield f"{len(unread) - _NAMED} more files: not scanned"
    yield from stated_gaps(result)
    # Measured, but without something: mypy without its plug-ins, say.
    reports = [report for path in sorted(case.reports) for report in case.reports[path]]
    yield from dict.fromkeys(
        f"{r.analyzer}: {r.reason}" for r in reports if r.state is State.MEASURED and r.reason
    )
