"""Which findings a report shows, and in which order."""

from __future__ import annotations

from gateline.gates.severity import severity
from gateline.model import Evaluation, Finding, Novelty, Severity, Status, Weight
from gateline.model.policy import Profile
from gateline.session.check_result import CheckResult

_ORDER = {kind: number for number, kind in enumerate(Severity)}


def severity_in(evaluation: Evaluation, finding: Finding) -> Severity:
    """How a finding is shown at the checkpoint, and by the profile, of an evaluation."""
    return severity(finding, evaluation.level, evaluation.profile)


def shown_findings(evaluation: Evaluation) -> list[Finding]:
    """What the change brought, by place; in the profile `plain` also old findings, as far as they count."""
    return [finding for finding in evaluation.findings if _is_shown(evaluation, finding)]


def left_out(evaluation: Evaluation) -> int:
    """How many findings, all old, are not shown."""
    return len(evaluation.findings) - len(shown_findings(evaluation))


def worst_first(evaluation: Evaluation) -> list[Finding]:
    """The findings that are shown, the most severe first, then by place."""
    return sorted(shown_findings(evaluation), key=lambda f: (_ORDER[severity_in(evaluation, f)], f.sort_key))


def _is_shown(evaluation: Evaluation, finding: Finding) -> bool:
    counts = evaluation.profile is Profile.PLAIN and finding.weight is not Weight.ADVICE
    return finding.novelty is Novelty.NEW or counts


def decided(evaluation: Evaluation) -> str:
    """`accept (score 100)`; whatever is not accepted, with its first reason."""
    decision = evaluation.decision
    said = f"{decision.outcome} ({score_text(evaluation)})"
    return said if decision.status is Status.PASS else ": ".join([said, *decision.reasons[:1]])


def before(result: CheckResult) -> list[str]:
    """What the work before tells of a verdict: a regression, and how the score moved since early."""
    worse = [f"regression: {result.regression}"] if result.regression else []
    return [*worse, *([moved(result)] if result.trajectory else [])]


def moved(result: CheckResult) -> str:
    """How the score moved since early, with the command that rolls back where that is advised."""
    way = f": gateline restore {result.savepoint}" if result.savepoint else ""
    return f"{result.trajectory}{way}"


def score_text(evaluation: Evaluation) -> str:
    """`score 86`, or `no score`."""
    value = evaluation.score.value
    return "no score" if value is None else f"score {value:g}"
