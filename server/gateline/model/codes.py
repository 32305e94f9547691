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
    Code("GTL110", "type-error", "The type checker refuses this.", Dimension.ERRORS),
    Code("GTL201", "failing-test", "A test fails.", Dimension.ERRORS),
    Code("GTL202", "flaky-test", "A test failed, and passed when it was run again.", Dimension.ERRORS),
    Code("GTL210", "uncovered-lines", "No test executes changed lines.", Dimension.COVERAGE),
    Code("GTL211", "missing-branch", "No test takes a branch of a changed line.", Dimension.COVERAGE),
    Code("GTL301", "insecure-code", "This code can be attacked.", Dimension.SECURITY),
    Code("GTL310", "exposed-secret", "A secret stands in the source.", Dimension.SECURITY),
    Code("GTL401", "complex-function", "A function has too many paths.", Dimension.COMPLEXITY),
    Code("GTL410", "duplicated-code", "Changed lines stand elsewhere too.", Dimension.DUPLICATION),
    Code("GTL501", "missing-docstring", "A public definition is not documented.", Dimension.DOCUMENTATION),
    Code("GTL601", "test-removed", "A test is gone, and what it tested is not.", Dimension.INTEGRITY),
    Code("GTL602", "test-skipped", "A test that ran no longer does, or may fail.", Dimension.INTEGRITY),
    Code("GTL603", "assertion-removed", "A test asserts less than before.", Dimension.INTEGRITY),
    Code("GTL604", "assertion-loosened", "An assertion lets more pass than before.", Dimension.INTEGRITY),
    Code(
        "GTL605",
        "expected-value-changed",
        "An expectation changed, and nothing says why.",
        Dimension.INTEGRITY,
    ),
    Code("GTL606", "unit-mocked", "A test replaces what it tests.", Dimension.INTEGRITY),
    Code("GTL607", "test-result-forged", "The result of tests is made, not found.", Dimension.INTEGRITY),
    Code("GTL608", "test-selection-changed", "Fewer tests are collected.", Dimension.INTEGRITY),
    Code("GTL611", "error-swallowed", "Whatever goes wrong is passed over.", Dimension.INTEGRITY),
    Code("GTL612", "input-special-cased", "The inputs of tests are answered by hand.", Dimension.INTEGRITY),
    Code("GTL613", "test-detected", "The code asks whether it is tested.", Dimension.INTEGRITY),
    Code("GTL614", "placeholder-body", "A function does nothing yet, or any more.", Dimension.INTEGRITY),
    Code("GTL621", "suppression-added", "A comment that silences a checker is new.", Dimension.INTEGRITY),
    Code(
        "GTL631", "threshold-lowered", "A number that changes must reach asks for less.", Dimension.INTEGRITY
    ),
    Code("GTL632", "check-switched-off", "A checker looks for less.", Dimension.INTEGRITY),
    Code("GTL633", "coverage-omitted", "Code is left out of the coverage.", Dimension.INTEGRITY),
    Code("GTL634", "check-made-optional", "A check is not called, or may fail.", Dimension.INTEGRITY),
    Code("GTL635", "settings-edited", "The settings that judge the change were edited.", Dimension.INTEGRITY),
    Code("GTL701", "score-regression", "A final score is lower than before.", Dimension.GATELINE),
    Code("GTL710", "slower-test", "A test takes longer than at the base.", Dimension.PERFORMANCE),
    Code("GTL801", "negative-trajectory", "The change went from better to worse.", Dimension.GATELINE),
    Code("GTL900", "gate-failed", "The gate does not let the change pass.", Dimension.GATELINE),
    Code("GTL901", "invalid-suppression", "A suppression lacks its code or reason.", Dimension.GATELINE),
    Code("GTL902", "unused-suppression", "A suppression suppresses nothing.", Dimension.GATELINE),
    Code("GTL903", "settings-mistake", "A setting cannot be used.", Dimension.GATELINE),
    Code("GTL904", "not-analysed", "A document was not analysed.", Dimension.GATELINE),
)

CODES: Mapping[str, Code] = MappingProxyType({code.code: code for code in _ALL})
"""All codes, in order."""
