"""From what tests said to the answers of `gateline/tests/run` and `gateline/coverage`."""

from __future__ import annotations

from gateline.model import Report
from gateline.protocol.testing import CoverageResult, MissingBranch, RunTestsResult, TestResult
from gateline.session.tests.testing import Tested
from gateline.testing.covered import Covered
from gateline.testing.failing import FAILING
from gateline.testing.failing import NAME as TESTS


def run_result(tested: Tested) -> RunTestsResult:
    """What became of the tests of one run."""
    why = {one.test: tuple(map(str, one.reasons)) for one in tested.chosen}
    about = tested.about
    return RunTestsResult(
        which=about.which if about else "none",
        total=about.total if about else 0,
        failing=_failing(tested),
        tests=tuple(
            TestResult(id=r.id, outcome=r.ending.value, seconds=r.seconds, reasons=why.get(r.id, ()))
            for r in tested.run
        ),
        why=about.why if about else (),
        note=about.note if about else _reason(tested),
        cancelled=not tested.is_whole,
    )


def coverage_result(version: int | None, report: Report, known: Covered | None) -> CoverageResult:
    """The changed lines of one document."""
    known = known or Covered(frozenset(), frozenset(), frozenset())
    return CoverageResult(
        version=version,
        state=report.state.value,
        reason=report.reason,
        covered=tuple(sorted(known.executed)),
        uncovered=tuple(sorted(known.missed)),
        stale=tuple(sorted(known.stale)),
        branches=tuple(MissingBranch(line=way.arc[0], message=way.missing) for way in known.untaken),
    )


def _failing(tested: Tested) -> int:
    """Tests, each where it stands; places in the code are told beside them."""
    reports = (report for each in tested.current.values() for report in each if report.analyzer == TESTS)
    failing = (finding for report in reports for finding in report.findings if finding.code == FAILING)
    return len({finding.line_text for finding in failing if finding.line_text})


def _reason(tested: Tested) -> str:
    reasons = (report.reason for reports in tested.current.values() for report in reports)
    return next((reason for reason in reasons if reason), "")
