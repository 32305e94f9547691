"""Evaluations of one document and of the whole project: what was found and counted, and no decision.

Only a change is judged. A document has findings; a project has totals, and the trend of its branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gateline.model import Evaluation
from gateline.model.evaluation import Trajectory
from gateline.protocol.evaluation import EvaluateResult, ScoreResult, TotalsResult, TrendResult
from gateline.session.judge.wire import to_wire
from gateline.worklog.scored import Scored

CHANGE, PROJECT, BUFFER = "change", "project", "buffer"


def to_scoped(
    evaluation: Evaluation, scope: str, trend: Sequence[Scored] = (), moved: Trajectory | None = None
) -> EvaluateResult:
    """An evaluation as it is answered for a scope: `change`, `project`, or `buffer`."""
    told = to_wire(evaluation, moved=moved if scope == CHANGE else None).model_dump(by_alias=False)
    if scope == CHANGE:
        return EvaluateResult.model_validate(told | {"scope": CHANGE})
    nothing = ScoreResult.model_validate({"value": None, "raw": None, "evidence": 0.0})
    told |= {"scope": scope, "score": nothing, "decision": None, "thresholds": None}
    for found in told["findings"]:
        found["points"] = 0.0
    if scope == PROJECT:
        told |= {"totals": _totals(evaluation), "trend": tuple(map(_trend, trend))}
    return EvaluateResult.model_validate(told)


def _totals(evaluation: Evaluation) -> TotalsResult:
    counted = Counter(str(finding.dimension) for finding in evaluation.findings)
    complexities = [f.complexity_after for f in evaluation.functions if f.complexity_after is not None]
    return TotalsResult(
        files=len(evaluation.files),
        lines=sum(file.lines_after or 0 for file in evaluation.files),
        functions=len(complexities),
        mean_complexity=round(sum(complexities) / len(complexities), 2) if complexities else None,
        worst_complexity=max(complexities, default=None),
        findings=dict(sorted(counted.items())),
        suppressed=len(evaluation.suppressed),
    )


def _trend(scored: Scored) -> TrendResult:
    return TrendResult(
        timestamp=scored.at.isoformat(timespec="milliseconds"),
        level=scored.level,
        decision=scored.outcome,
        score=scored.score,
    )
