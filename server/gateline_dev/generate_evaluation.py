"""Makes the JSON Schemas of what `gateline check` and `gateline compare` write with `--output json`."""

from __future__ import annotations

import json

from gateline.protocol.comparison import ComparisonResult
from gateline.protocol.evaluation import EvaluationResult, Reading

SCHEMA = "schemas/evaluation.json"
COMPARISON = "schemas/comparison.json"


def render() -> dict[str, str]:
    """The generated texts by their paths in the repository."""
    return {
        SCHEMA: _schema(EvaluationResult, "gateline evaluation"),
        COMPARISON: _schema(ComparisonResult, "gateline comparison"),
    }


def _schema(model: type[Reading], title: str) -> str:
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps({**schema, **dialect}, indent=2, ensure_ascii=False) + "\n"
