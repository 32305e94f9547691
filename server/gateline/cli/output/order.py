"""Which findings a report shows, and in which order."""

from __future__ import annotations

from gateline.gates.severity import severity
from gateline.model import Evaluation, Finding, Novelty, Severity

_ORDER = {kind: number for number, kind in enumerate(Severity)}


def new_findings(evaluation: Evaluation) -> list[Finding]:
    """What the change brought, by place."""
    return [finding for finding in evaluation.findings if finding.novelty is Novelty.NEW]


def worst_first(evaluation: Evaluation) -> list[Finding]:
    """What the change brought, the most severe first, then by place."""
    level = evaluation.level
    return sorted(new_findings(evaluation), key=lambda f: (_ORDER[severity(f, level)], f.sort_key))


def score_text(evaluation: Evaluation) -> str:
    """`score 86`, or `no score`."""
    value = evaluation.score.value
    return "no score" if value is None else f"score {value:g}"
