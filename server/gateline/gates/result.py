"""The gate's own result as a finding, where it blocks."""

from __future__ import annotations

from gateline.model.evaluation import Action, Evaluation, Outcome, Status
from gateline.model.finding import Dimension, Finding, Related, Weight
from gateline.model.span import Span

GATE = "GTL900"
IDENTITY = "000000000900"
"""There is one result, so its identity is always the same."""


def blocking(evaluation: Evaluation) -> Finding | None:
    """A finding on the line that costs most, with the other required actions as related places.

    None when the gate does not fail, or when nothing that it requires has a place.
    """
    decision = evaluation.decision
    places = [action for action in decision.required_actions if action.path]
    if decision.status is not Status.FAIL or not places:
        return None
    spans = {finding.identity: finding.span for finding in evaluation.findings}
    first, *rest = places
    reason = f": {decision.reasons[0]}" if decision.reasons else ""
    return Finding(
        code=GATE,
        path=first.path,
        span=_span(first, spans),
        message=f"the gate failed{reason}; first, {first.text}",
        dimension=Dimension.GATELINE,
        weight=Weight.FLOOR,
        identity=IDENTITY,
        related=tuple(Related(action.path, _span(action, spans), action.text) for action in rest),
    )


def undecided(evaluation: Evaluation) -> Finding | None:
    """A finding at the head of the first changed file that says why nothing was decided; None where it was.

    For readers that see findings and no decision: without it they would see nothing wrong.
    """
    rows = (*evaluation.files, *evaluation.others)
    if evaluation.decision.outcome is not Outcome.UNDECIDED or not rows:
        return None
    return Finding(
        code=GATE,
        path=rows[0].path,
        span=Span.of(0, 0, 0, 0),
        message=": ".join(["the gate could not decide", *evaluation.decision.reasons[:1]]),
        dimension=Dimension.GATELINE,
        weight=Weight.COUNTS,
        identity=IDENTITY,
    )


def _span(action: Action, spans: dict[str, Span]) -> Span:
    return spans.get(action.finding, Span.of(action.line, 0, action.line, 0))
