"""From the engine's evaluation to the one that is sent and written."""

from __future__ import annotations

from gateline.model import Evaluation
from gateline.protocol.evaluation import EvaluationResult


def to_wire(evaluation: Evaluation) -> EvaluationResult:
    """The same evaluation in the wire's types."""
    return EvaluationResult.model_validate(evaluation)


def canonical_json(evaluation: Evaluation) -> bytes:
    """The evaluation as JSON. Nothing in it depends on time or machine: same content, same bytes."""
    return to_wire(evaluation).model_dump_json(by_alias=True, indent=2).encode() + b"\n"
