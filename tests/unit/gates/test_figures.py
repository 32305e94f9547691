"""The numbers of a report: by content, with their states; what varies is apart."""

from __future__ import annotations

from dataclasses import replace

from gate_inputs import CLEAN, EDITED, NO_TESTS, case, changed, having, report

from gateline.gates.evaluate import judge
from gateline.model import Dimension, Measure, Report, State, TestRun
from gateline.model.evaluation import Figure

FUNCTION = (Measure("cyclomatic", 4, "f", 0), Measure("function_coverage", 50.0, "f", 0))


def figures(*reports: Report, tests: TestRun = NO_TESTS) -> dict[str, Figure]:
    evaluation = judge(replace(having(case(changed(CLEAN, EDITED)), *reports), tests=tests))
    return {figure.name: figure for figure in (*evaluation.measures, *evaluation.timings)}


def test_complexity_has_mean_and_worst() -> None:
    found = figures(report(Dimension.COMPLEXITY, measures=FUNCTION))
    assert (found["complexity_mean"].value, found["complexity_worst"].value) == (4, 4)


def test_what_was_not_measured_has_no_number_and_says_why() -> None:
    found = figures(report(Dimension.COMPLEXITY, state=State.FAILED, reason="it broke", measures=FUNCTION))
    assert found["complexity_mean"] == Figure("complexity_mean", "", None, None, State.FAILED, "it broke")


def test_the_risk_of_secrets_is_a_number() -> None:
    found = figures(report(Dimension.SECURITY, measures=(Measure("exposure", 0.5), Measure("exposure", 0.5))))
    assert found["secret_risk"].value == 0.75
    assert figures(report(Dimension.SECURITY, measures=(Measure("exposure", 0.0),)))["secret_risk"].value == 0


def test_what_tests_took_is_said_or_why_not() -> None:
    ran = TestRun("all", run=2, total=2, latency=1.5, peak_memory=30.0)
    assert (figures(tests=ran)["test_latency"].value, figures(tests=ran)["peak_memory"].value) == (1.5, 30.0)
    silent = TestRun("none", state=State.NO_DATA, reason="no pytest")
    assert figures(tests=silent)["test_latency"] == Figure(
        "test_latency", "ms", None, None, State.NO_DATA, "no pytest"
    )
