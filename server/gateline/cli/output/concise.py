"""One line a finding, in the form that editors and grep know."""

from __future__ import annotations

from gateline.model import Finding, Novelty
from gateline.session.check import CheckResult


def render(result: CheckResult) -> str:
    """`path:line:column: CODE message`, new findings only, then the decision."""
    evaluation = result.evaluation
    lines = [_line(f) for f in evaluation.findings if f.novelty is Novelty.NEW]
    score = "–" if evaluation.score.value is None else f"{evaluation.score.value:g}"
    return "\n".join([*lines, f"{evaluation.decision.outcome} (score {score})"]) + "\n"


def _line(finding: Finding) -> str:
    start = finding.span.start
    origin = f" [{finding.origin}]" if finding.origin else ""
    return f"{finding.path}:{start.line + 1}:{start.column + 1}: {finding.code} {finding.message}{origin}"
