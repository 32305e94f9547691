"""One line a finding, in the form that editors and grep know."""

from __future__ import annotations

from gateline.cli.output.order import before, decided, shown_findings
from gateline.cli.output.tests import told
from gateline.cli.terminal import harmless
from gateline.model import Finding
from gateline.session.check_result import CheckResult


def render(result: CheckResult) -> str:
    """`path:line:column: CODE message [tool: its code]`, what counts or is new, then tests and decision."""
    evaluation = result.evaluation
    lines = [_line(finding) for finding in shown_findings(evaluation)]
    lines += map(harmless, told(evaluation.tests) if evaluation.changed else ())
    lines += (harmless(str(row)) for row in evaluation.accepted)
    return "\n".join([*lines, *map(harmless, before(result)), harmless(decided(evaluation))]) + "\n"


def _line(finding: Finding) -> str:
    start = finding.span.start
    origin = f" [{finding.origin}]" if finding.origin else ""
    remark = f" ({finding.remark})" if finding.remark else ""
    place = f"{finding.path}:{start.line + 1}:{start.column + 1}"
    return harmless(f"{place}: {finding.code} {finding.message}{origin}{remark}")
