"""Makes the JSON Schemas of what commands write with `--output json`, and of what agents are handed."""

from __future__ import annotations

import json
from typing import Literal

from pydantic import BaseModel

from gateline.protocol.comparison import ComparisonResult
from gateline.protocol.evaluation import EvaluationResult
from gateline.protocol.metrics import MetricsResult
from gateline.protocol.verification import VerificationResult
from gateline.refinement.contract import AgentInput, AgentOutput
from gateline.session.evals.suite import Suite

SCHEMA = "schemas/evaluation.json"
COMPARISON = "schemas/comparison.json"
VERIFICATION = "schemas/verification.json"
METRICS = "schemas/metrics.json"
EVAL_SUITE = "schemas/eval-suite.json"
AGENT_INPUT = "schemas/agent-input.json"
AGENT_OUTPUT = "schemas/agent-output.json"


def render() -> dict[str, str]:
    """The generated texts by their paths in the repository."""
    return {
        SCHEMA: _schema(EvaluationResult, "gateline evaluation"),
        COMPARISON: _schema(ComparisonResult, "gateline comparison"),
        VERIFICATION: _schema(VerificationResult, "gateline verification"),
        METRICS: _schema(MetricsResult, "gateline metrics"),
        EVAL_SUITE: _schema(Suite, "gateline eval suite", "validation"),
        AGENT_INPUT: _schema(AgentInput, "gateline agent input"),
        AGENT_OUTPUT: _schema(AgentOutput, "gateline agent output"),
    }


def _schema(
    model: type[BaseModel], title: str, mode: Literal["serialization", "validation"] = "serialization"
) -> str:
    schema = model.model_json_schema(by_alias=True, mode=mode)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps({**schema, **dialect}, indent=2, ensure_ascii=False) + "\n"
