"""A comparison as the audit trail has it: what was compared, what came first, and how sure that was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gateline.ranking.values import Row
from gateline.session.compare.comparing import Comparison
from gateline.session.tasks.decisions import record_entry
from gateline.store.candidates.trees import Given
from gateline.worklog.decided import CHOICE, COMPARISON, Feedback

_OF_CHOICE = ("by", "branch", "task", "base", "strategy", "winner", "calibrated", "candidates")


def record(root: Path, found: Comparison, folder: Path | None = None) -> str:
    """Record a comparison made in the workspace at `root`; the answer is why it was not, or empty. Blocks."""
    return record_entry(root, lambda branch, task: entry(found, branch, task), folder).trouble


def record_choice(root: Path, found: Comparison, chosen: Given, folder: Path | None = None) -> str:
    """Record which candidate a person applied; the answer is why it was not, or empty. Blocks."""
    won = chosen.name == found.ranking.winner
    feedback = Feedback.ACCEPTED_WINNER if won else Feedback.CHOSE_OTHER
    return _record_feedback(root, found, feedback, chosen, folder)


def record_rejection(root: Path, found: Comparison, folder: Path | None = None) -> str:
    """Record that a person takes none of the candidates; the answer is as of `record_choice`. Blocks."""
    return _record_feedback(root, found, Feedback.REJECTED_ALL, None, folder)


def _record_feedback(
    root: Path, found: Comparison, feedback: Feedback, chosen: Given | None, folder: Path | None
) -> str:
    rows = {row.name: row for row in found.ranking.rows}
    sure = found.ranking.confidence

    def choice(branch: str, task: str) -> dict[str, object]:
        compared = {key: value for key, value in entry(found, branch, task).items() if key in _OF_CHOICE}
        trees = {one.name: one.tree for one in found.given}
        return {
            **compared,
            "scope": CHOICE,
            "feedback": str(feedback),
            "chosen": chosen.name if chosen else "",
            "tree": chosen.tree if chosen else "",
            "shipped": sure.calibrated if sure.shipped is None else sure.shipped,
            "candidates": [{**_candidate(row, trees), **_learnable(row)} for row in rows.values()],
        }

    return record_entry(root, choice, folder).trouble


def _learnable(row: Row) -> dict[str, object]:
    """What `gateline compare --learn` looks at."""
    return {
        "categories": {str(one.category): one.value for one in row.categories if one.value is not None},
        "stages": {one.stage: one.value for one in row.stages},
    }


def entry(found: Comparison, branch: str, task: str) -> dict[str, object]:
    """A comparison with its evidence, of values that JSON has."""
    ranking = found.ranking
    trees = {one.name: one.tree for one in found.given}
    return {
        "scope": COMPARISON,
        "by": "compare",
        "branch": branch,
        "task": task,
        "base": found.base,
        "strategy": str(ranking.strategy),
        "isolation": str(ranking.isolation),
        "winner": ranking.winner,
        "why": ranking.why,
        "calibrated": ranking.confidence.calibrated,
        "formula": ranking.confidence.formula,
        "accepted": ranking.acceptance.accepted,
        "acceptance": list(ranking.acceptance.reasons),
        "candidates": [_candidate(row, trees) for row in ranking.rows],
        **({"known_since": found.known_since} if found.known_since else {}),
        "left_out": {one.name: one.reason for one in found.left_out},
    }


def _candidate(row: Row, trees: Mapping[str, str]) -> dict[str, object]:
    """Its place and content; names of branches move, trees do not."""
    told = {"name": row.name, "tree": trees[row.name], "place": row.place, "score": row.score}
    return told | ({"blocked": [one.check for one in row.blocked]} if row.blocked else {})
