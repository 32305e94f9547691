"""Annotations of GitHub Actions: workflow commands on standard output."""

from __future__ import annotations

from collections import Counter

from gateline.cli.output.order import before, score_text, severity_in, worst_first
from gateline.cli.output.tests import in_a_line
from gateline.model import Finding, Level, Severity, Status
from gateline.session.check_result import CheckResult

_KINDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_VERDICTS = {Status.PASS: "notice", Status.WARN: "warning", Status.FAIL: "error"}
_SHOWN = 10
"""GitHub shows about this many annotations of a kind; the rest is counted."""


def render(result: CheckResult) -> str:
    """The decision, then the new findings, worst first: at most ten annotations of a kind in all."""
    evaluation = result.evaluation
    kind = _VERDICTS[evaluation.decision.status]
    seen = Counter([kind])
    lines = []
    findings = worst_first(evaluation)
    for finding in findings:
        own = _KINDS[severity_in(evaluation, finding)]
        if seen[own] < _SHOWN:
            seen[own] += 1
            lines.append(_command(own, finding))
    left = len(findings) - len(lines)
    more = f"; {left} more findings are not annotated" if left else ""
    return "\n".join([f"::{kind} title=gateline::{_escaped(_verdict(result) + more)}", *lines]) + "\n"


def _verdict(result: CheckResult) -> str:
    evaluation = result.evaluation
    level = "" if evaluation.level is Level.FINAL else f" at {evaluation.level}"
    first = next(iter(evaluation.decision.reasons), "")
    said = f"{evaluation.decision.outcome}{level}, {score_text(evaluation)}" + (f": {first}" if first else "")
    accepted = [f"; {row}" for row in evaluation.accepted]
    if not evaluation.changed:
        return said
    return "".join([said, *(f"; {row}" for row in (*before(result), in_a_line(evaluation.tests))), *accepted])


def _command(kind: str, finding: Finding) -> str:
    span = finding.span
    place = {"file": finding.path, "line": str(span.start.line + 1), "endLine": str(span.end.line + 1)}
    if span.start.line == span.end.line:
        # GitHub refuses columns of spans over several lines.
        place |= {"col": str(span.start.column + 1), "endColumn": str(span.end.column + 1)}
    place["title"] = f"{finding.code} {finding.origin}".strip()
    properties = ",".join(f"{key}={_escaped(value, ',:')}" for key, value in place.items())
    remark = f" ({finding.remark})" if finding.remark else ""
    return f"::{kind} {properties}::{_escaped(finding.message + remark)}"


def _escaped(text: str, more: str = "") -> str:
    for mark in ("%", "\r", "\n", *more):
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text
