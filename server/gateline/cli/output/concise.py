"""One line a finding, in the form that editors and grep know."""

from __future__ import annotations

from gateline.cli.output.order import new_findings, score_text
from gateline.cli.terminal import harmless
from gateline.model import Finding
from gateline.session.check_result import CheckResult


def render(result: CheckResult) -> str:
    """`path:line:column: CODE message [tool: its code]`, new findings only, then the decision."""
    evaluation = result.evaluation
    lines = [_line(finding) for finding in new_findings(evaluation)]
    return "\n".join([*lines, f"{evaluation.decision.outcome} ({score_text(evaluation)})"]) + "\n"


def _line(finding: Finding) -> str:
    start = finding.span.start
    origin = f" [{finding.origin}]" if finding.origin else ""
    place = f"{finding.path}:{start.line + 1}:{start.column + 1}"
    return harmless(f"{place}: {finding.code} {finding.message}{origin}")
