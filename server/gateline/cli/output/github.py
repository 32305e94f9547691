"""Annotations of GitHub Actions: workflow commands on standard output."""

from __future__ import annotations

from collections import Counter

from gateline.gates.severity import severity
from gateline.model import Finding, Level, Novelty, Severity
from gateline.session.check import CheckResult

_KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "notice"}
_SHOWN = 10
"""GitHub shows about this many annotations of a kind: the worst come first, the rest are counted."""


def render(result: CheckResult) -> str:
    """New findings, worst first, and the decision as a notice."""
    evaluation = result.evaluation
    ranked = sorted(
        ((severity(f, evaluation.level), f) for f in evaluation.findings if f.novelty is Novelty.NEW),
        key=lambda row: (list(Severity).index(row[0]), row[1].sort_key),
    )
    told = [(kind, f) for level, f in ranked if (kind := _KINDS.get(level))]
    seen: Counter[str] = Counter()
    lines = []
    for kind, finding in told:
        seen[kind] += 1
        if seen[kind] <= _SHOWN:
            lines.append(_command(kind, finding))
    left = sum(max(count - _SHOWN, 0) for count in seen.values())
    more = f"; {left} more findings are in the log" if left else ""
    lines.append(f"::notice title=gateline::{_escaped(_verdict(result))}{more}")
    return "\n".join(lines) + "\n"


def _verdict(result: CheckResult) -> str:
    evaluation = result.evaluation
    score = "no score" if evaluation.score.value is None else f"score {evaluation.score.value:g}"
    level = "" if evaluation.level is Level.FINAL else f" at {evaluation.level}"
    return f"{evaluation.decision.outcome}{level}, {score}"


def _command(kind: str, finding: Finding) -> str:
    span = finding.span
    place = {
        "file": finding.path,
        "line": str(span.start.line + 1),
        "endLine": str(span.end.line + 1),
        "title": f"{finding.code} {finding.origin}".strip(),
    }
    if span.start.line == span.end.line:
        place |= {"col": str(span.start.column + 1), "endColumn": str(span.end.column + 1)}
    properties = ",".join(f"{key}={_escaped(value, ',:')}" for key, value in place.items())
    return f"::{kind} {properties}::{_escaped(finding.message)}"


def _escaped(text: str, more: str = "") -> str:
    for mark in ("%", "\r", "\n", *more):
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text
