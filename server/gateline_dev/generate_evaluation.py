"""Makes the JSON Schema of `gateline check --output json`."""

from __future__ import annotations

import json

from gateline.protocol.evaluation import EvaluationResult

SCHEMA = "schemas/evaluation.json"


def render() -> dict[str, str]:
    """The generated text by its path in the repository."""
    schema = EvaluationResult.model_json_schema(by_alias=True, mode="serialization")
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "gateline evaluation"}
    return {SCHEMA: json.dumps({**schema, **dialect}, indent=2, ensure_ascii=False) + "\n"}
