"""A decision as the audit trail has it: what was decided of what, and the evidence for it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b

from gateline.model.evaluation import Evaluation, Part, TestRun
from gateline.model.finding import Finding, Novelty

COMPARISON = "comparison"
"""The scope of an entry that is no decision of the gates, but a ranking of candidate solutions."""
CHOICE = "choice"
"""The scope of an entry that a person applied a candidate solution, or took none."""
_MOST = 20
"""So many lines of one list are kept, and how many more there are."""
_REPEATED = ("scope", "level", "outcome", "status", "score", "evidence", "content")
"""What the entry of a decision that was given before says of it again."""


class Feedback(StrEnum):
    """What a person made of a comparison."""

    ACCEPTED_WINNER = "accepted_winner"
    CHOSE_OTHER = "chose_other"
    REJECTED_ALL = "rejected_all"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Who asked, and where."""

    by: str
    """`check`, `watch` or `editor`."""
    scope: str = "change"
    """`change`, `staged` (what is in the index) or `all` (every file of the project)."""
    paths: tuple[str, ...] = ()
    """Only these files and folders; empty: all."""
    branch: str = ""
    """Empty without git, and for a commit that no branch has."""
    task: str = ""
    """The task in progress; empty when there is none."""
    took: Mapping[str, float] = field(default_factory=dict)
    """Seconds by step, and in all as `whole`; empty where nothing was judged anew."""


def entry(evaluation: Evaluation, found: Circumstances) -> dict[str, object]:
    """A decision with its evidence, of values that JSON has.

    `decision` names all of it but who asked: the same decision on the same evidence has the same name.
    """
    evidence = _evidence(evaluation, found)
    text = json.dumps(evidence, sort_keys=True)
    name = blake2b(text.encode(), digest_size=10).hexdigest()
    return {**evidence, **_asked(found), "decision": name}


def repetition(full: Mapping[str, object], number: int) -> dict[str, object]:
    """The same decision, given again: `again` is the number of the entry that has its evidence."""
    kept = {key: full[key] for key in (*_REPEATED, "by", "branch", "task")}
    return {**kept, "again": number, **({"took": took} if (took := full.get("took")) else {})}


def _asked(found: Circumstances) -> dict[str, object]:
    asked: dict[str, object] = {"by": found.by, "branch": found.branch, "task": found.task}
    took = {step: round(seconds, 3) for step, seconds in found.took.items()}
    return asked | ({"took": took} if took else {})


def _evidence(evaluation: Evaluation, found: Circumstances) -> dict[str, object]:
    score, decision = evaluation.score, evaluation.decision
    return {
        "scope": found.scope,
        "paths": list(found.paths),
        "level": str(evaluation.level),
        "progress": str(evaluation.progress),
        "profile": str(evaluation.profile),
        "base": evaluation.base,
        "base_label": evaluation.base_label,
        "content": evaluation.content,
        "outcome": str(decision.outcome),
        "status": str(decision.status),
        "reasons": _few(decision.reasons),
        "required_actions": [action.text for action in decision.required_actions],
        "score": score.value,
        "raw": score.raw,
        "evidence": score.evidence,
        "floors": _few(score.floors),
        "caps": _few(score.caps),
        "parts": {str(part.dimension): _part(part) for part in score.parts},
        "tests": _tests(evaluation.tests),
        "findings": _counted(evaluation),
        "accepted": _few(map(str, evaluation.accepted)),
        "limits": _few(evaluation.limits),
    }


def _part(part: Part) -> dict[str, object]:
    """A measurement: its value and weight, or why there is none."""
    found: dict[str, object] = {"state": str(part.state)}
    if part.value is not None:
        found |= {"value": part.value, "weight": part.weight}
    return found | ({"reason": part.reason} if part.reason else {})


def _tests(tests: TestRun | None) -> dict[str, object] | None:
    if tests is None:
        return None
    found: dict[str, object] = {"which": tests.which, "run": tests.run, "total": tests.total}
    found |= {"state": str(tests.state), "failing": tests.failing}
    return found | ({"reason": tests.reason} if tests.reason else {})


def _counted(evaluation: Evaluation) -> dict[str, object]:
    """How many findings there are, and of the new ones how many of each code."""
    new = [finding for finding in evaluation.findings if _is_new(finding)]
    return {
        "new": dict(sorted(Counter(finding.code for finding in new).items())),
        "old": len(evaluation.findings) - len(new),
        "fixed": len(evaluation.fixed),
        "suppressed": len(evaluation.suppressed),
    }


def _is_new(finding: Finding) -> bool:
    return finding.novelty is Novelty.NEW


def _few(lines: Iterable[str]) -> list[str]:
    rows = list(lines)
    return rows if len(rows) <= _MOST else [*rows[:_MOST], f"{len(rows) - _MOST} more"]
