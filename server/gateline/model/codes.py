"""Every code that gateline reports. Each has a page in `docs/codes/`, and is never used for another thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gateline.model.finding import Dimension

_PAGES = "https://github.com/gateline/gateline/blob/main/docs/codes"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding."""

    code: str
    name: str
    """In kebab-case, for rule lists."""
    summary: str
    dimension: Dimension


def page_url(code: str) -> str:
    """Where a code's page can be read online; `gateline rule CODE` shows the same offline."""
    return f"{_PAGES}/{code}.md"


_ALL = (
    Code("GTL101", "syntax-error", "The text is not valid Python.", Dimension.ERRORS),
    Code("GTL110", "type-error", "The type checker reports an error.", Dimension.ERRORS),
    Code("GTL201", "failing-test", "A test fails.", Dimension.ERRORS),
    Code("GTL202", "flaky-test", "A test failed, and passed when run again.", Dimension.ERRORS),
    Code("GTL210", "uncovered-lines", "No test executes changed lines.", Dimension.COVERAGE),
    Code("GTL211", "missing-branch", "No test takes a branch of a changed line.", Dimension.COVERAGE),
    Code("GTL301", "insecure-code", "Insecure code.", Dimension.SECURITY),
    Code("GTL310", "exposed-secret", "A secret in the source.", Dimension.SECURITY),
    Code("GTL401", "complex-function", "A function is too complex.", Dimension.COMPLEXITY),
    Code("GTL410", "duplicated-code", "Changed lines are duplicated elsewhere.", Dimension.DUPLICATION),
    Code("GTL501", "missing-docstring", "A public definition has no docstring.", Dimension.DOCUMENTATION),
    Code(
        "GTL601",
        "test-removed",
        "A test was removed, but the code that it tests still exists.",
        Dimension.INTEGRITY,
    ),
    Code("GTL602", "test-skipped", "A test no longer runs, or may fail.", Dimension.INTEGRITY),
    Code("GTL603", "assertion-removed", "A test asserts less than before.", Dimension.INTEGRITY),
    Code("GTL604", "assertion-loosened", "An assertion accepts more than before.", Dimension.INTEGRITY),
    Code(
        "GTL605",
        "expected-value-changed",
        "An expected value changed, and nothing in the change explains it.",
        Dimension.INTEGRITY,
    ),
    Code("GTL606", "unit-mocked", "A test replaces the code that it tests.", Dimension.INTEGRITY),
    Code("GTL607", "test-result-forged", "A test result is set by hand.", Dimension.INTEGRITY),
    Code("GTL608", "test-selection-changed", "Fewer tests are collected or run.", Dimension.INTEGRITY),
    Code("GTL611", "error-swallowed", "Exceptions are swallowed.", Dimension.INTEGRITY),
    Code(
        "GTL612", "input-special-cased", "Hard-coded results for inputs that tests use.", Dimension.INTEGRITY
    ),
    Code("GTL613", "test-detected", "Product code checks whether it runs under test.", Dimension.INTEGRITY),
    Code("GTL614", "placeholder-body", "A function is a placeholder.", Dimension.INTEGRITY),
    Code("GTL621", "suppression-added", "A new comment silences a checker.", Dimension.INTEGRITY),
    Code("GTL631", "threshold-lowered", "A required threshold was lowered.", Dimension.INTEGRITY),
    Code("GTL632", "check-switched-off", "A checker was configured to check less.", Dimension.INTEGRITY),
    Code("GTL633", "coverage-omitted", "Code is excluded from coverage.", Dimension.INTEGRITY),
    Code("GTL634", "check-made-optional", "A check no longer runs, or may fail.", Dimension.INTEGRITY),
    Code("GTL635", "settings-edited", "The settings that judge the change were edited.", Dimension.INTEGRITY),
    Code("GTL701", "score-regression", "A final score is lower than earlier ones.", Dimension.GATELINE),
    Code("GTL710", "slower-test", "A test is slower than at the base.", Dimension.PERFORMANCE),
    Code(
        "GTL801",
        "negative-trajectory",
        "The score of the change fell between checkpoints.",
        Dimension.GATELINE,
    ),
    Code("GTL900", "gate-failed", "The gate stops the change.", Dimension.GATELINE),
    Code("GTL901", "invalid-suppression", "A suppression lacks its code or reason.", Dimension.GATELINE),
    Code("GTL902", "unused-suppression", "A suppression matches no finding.", Dimension.GATELINE),
    Code("GTL903", "settings-mistake", "A setting cannot be used.", Dimension.GATELINE),
    Code("GTL904", "not-analysed", "A document was not analysed.", Dimension.GATELINE),
)

CODES: Mapping[str, Code] = MappingProxyType({code.code: code for code in _ALL})
"""All codes, in order."""
