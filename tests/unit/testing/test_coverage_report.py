"""From covered lines to numbers and findings."""

from __future__ import annotations

import pytest

from gateline.model import State
from gateline.testing.coverage_report import report_of
from gateline.testing.covered import Covered
from gateline.testing.outline import Exit

LINES = [
    "def fee(weight):\n",
    "    if weight > 10:\n",
    "        weight = 10\n",
    "        print(1)\n",
    "    return 1\n",
]
INTO = Exit((1, 2), "line 2 didn't jump to line 3 because the condition on line 2 was never true")
PAST = Exit((1, 4), "line 2 didn't jump to line 5 because the condition on line 2 was always true")


def covered(executed: set[int], missed: set[int], *stale: int, **more: tuple[Exit, ...]) -> Covered:
    return Covered(frozenset(executed), frozenset(missed), frozenset(stale), **more)


FINDINGS = {
    "all covered": (covered({1, 4}, set(), taken=(INTO, PAST)), []),
    "one line": (covered({1}, {4}), ["GTL210 5: no test executes the changed line 5"]),
    "lines in a row are one finding, with the branch that leads there": (
        covered({1, 4}, {2, 3}, taken=(PAST,), untaken=(INTO,)),
        [f"GTL210 3: no test executes the 2 changed lines from 3 to 4: {INTO.missing}"],
    ),
    "lines with an executed one between are two": (
        covered({2}, {1, 3}),
        ["GTL210 2: no test executes the changed line 2", "GTL210 4: no test executes the changed line 4"],
    ),
    "a branch to a covered line": (
        covered({1, 2, 4}, set(), taken=(INTO,), untaken=(PAST,)),
        [f"GTL211 2: no test takes this branch: {PAST.missing}"],
    ),
}


@pytest.mark.parametrize(("known", "said"), FINDINGS.values(), ids=FINDINGS)
def test_findings(known: Covered, said: list[str]) -> None:
    report = report_of("fee.py", LINES, known)
    assert [f"{f.code} {f.span.start.line + 1}: {f.message}" for f in report.findings] == said
    assert {m.name: m.value for m in report.measures} == {
        "executable": known.measured,
        "covered": known.covered,
    }
    assert report.state is State.MEASURED


def test_what_is_stale_has_no_numbers() -> None:
    report = report_of("fee.py", LINES, covered({1}, set(), 2, 3))
    assert (report.state, report.measures, report.findings) == (State.STALE, (), ())
    assert report.reason == "2 changed lines of fee.py: the tests that may execute them have not run since"


def test_what_cannot_be_executed_is_nothing_to_judge() -> None:
    assert report_of("fee.py", LINES, covered(set(), set())).state is State.NOTHING_TO_JUDGE


def test_the_source_of_another_tools_numbers_is_said() -> None:
    assert (
        report_of("fee.py", LINES, covered({1}, set()), "as coverage.xml says").reason
        == "as coverage.xml says"
    )
