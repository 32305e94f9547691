"""A comment for a pull request: the verdict, the breakdown, and the worst findings."""

from __future__ import annotations

from gateline.gates.severity import severity
from gateline.model import Evaluation, Finding, Novelty, Part, Severity, State
from gateline.session.check import CheckResult

_SHOWN = 5


def render(result: CheckResult) -> str:
    """At most five findings; the rest is counted."""
    evaluation = result.evaluation
    score = "no score" if evaluation.score.value is None else f"**{evaluation.score.value:g}**/100"
    lines = [
        f"### gateline: {evaluation.decision.outcome}",
        "",
        f"{score}, evidence {evaluation.score.evidence:.0%}, against {evaluation.base_label}",
        "",
        "| dimension | value | points | |",
        "|---|---:|---:|---|",
        *(_row(part) for part in evaluation.score.parts if part.state is not State.NOT_DUE),
        "",
        *_findings(evaluation),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _row(part: Part) -> str:
    value = str(part.state) if part.value is None else f"{part.value:.0f}"
    points = f"{part.points:.1f}" if part.weight else ""
    return f"| {part.dimension} | {value} | {points} | {_cell(part.detail or part.reason)} |"


def _findings(evaluation: Evaluation) -> list[str]:
    order = list(Severity)
    new = [f for f in evaluation.findings if f.novelty is Novelty.NEW]
    new.sort(key=lambda f: (order.index(severity(f, evaluation.level)), f.sort_key))
    lines = [_line(finding) for finding in new[:_SHOWN]]
    if len(new) > _SHOWN:
        lines.append(f"- … and {len(new) - _SHOWN} more")
    return lines


def _line(finding: Finding) -> str:
    place = f"{finding.path}:{finding.span.start.line + 1}"
    return f"- `{place}` {finding.code} {_cell(finding.message)}"


def _cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|").replace("<", "&lt;")
