"""From the engine's evaluation to the one that is sent and written."""

from __future__ import annotations

import json

from gateline.model import Evaluation
from gateline.protocol.evaluation import EvaluationResult


def to_wire(evaluation: Evaluation) -> EvaluationResult:
    """The same evaluation in the wire's types."""
    return EvaluationResult.model_validate(evaluation)


def canonical_json(evaluation: Evaluation) -> bytes:
    """The evaluation as JSON. Nothing in it depends on time or machine: same content, same bytes."""
    text = json.dumps(to_wire(evaluation).model_dump(by_alias=True), indent=2, ensure_ascii=False)
    # A file name that is no UTF-8 has lone surrogates; written with a backslash they are proper JSON.
    return text.encode("utf-8", "backslashreplace") + b"\n"
