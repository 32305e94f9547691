"""From the engine's evaluation to the one that is sent and written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace

from gateline.gates.severity import severity
from gateline.model import Evaluation, Finding
from gateline.model.codes import page_url
from gateline.model.evaluation import Trajectory
from gateline.protocol.evaluation import EvaluationResult
from gateline.worklog.scored import Regression


def to_wire(
    evaluation: Evaluation, worse: Regression | None = None, moved: Trajectory | None = None
) -> EvaluationResult:
    """The same evaluation in the wire's types; of each finding also what follows for a reader.

    `worse` and `moved` are what the work before tells of it.
    """
    points = {action.finding: action.points for action in evaluation.actions if action.finding}
    lists = {
        name: [_finding(f, evaluation, points) for f in getattr(evaluation, name)]
        for name in ("findings", "suppressed", "fixed")
    }
    accepted = [
        {field.name: getattr(row, field.name) for field in fields(row)}
        | {"finding": _finding(row.finding, evaluation, points)}
        for row in evaluation.accepted
    ]
    return EvaluationResult.model_validate(
        _shallow(evaluation) | lists | {"accepted": accepted, "regression": worse, "trajectory": moved}
    )


def _finding(finding: Finding, evaluation: Evaluation, points: Mapping[str, float]) -> dict[str, object]:
    return _shallow(finding) | {
        "severity": severity(finding, evaluation.level, evaluation.profile),
        "page": page_url(finding.code),
        "points": points.get(finding.identity, 0.0),
    }


def _shallow(value: Evaluation | Finding) -> dict[str, object]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def canonical_json(
    evaluation: Evaluation, worse: Regression | None = None, moved: Trajectory | None = None
) -> bytes:
    """The evaluation as JSON. Nothing in it depends on time or machine: same content, same bytes.

    So what was timed is left out; reports for people and the protocol have it. `worse` and
    `moved` are what the work before tells of it.
    """
    result = to_wire(replace(evaluation, timings=()), worse, moved)
    text = json.dumps(result.model_dump(by_alias=True), indent=2, ensure_ascii=False)
    # A file name that is no UTF-8 has lone surrogates; written with a backslash they are proper JSON.
    return text.encode("utf-8", "backslashreplace") + b"\n"
