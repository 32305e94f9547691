"""In words what changed: how many files, and which of them are not Python."""

from __future__ import annotations

from gateline.model import Evaluation, Novelty, Outcome, Status
from gateline.model.change import EVERYTHING

_NAMED = 5
"""Files that are not Python are named, so many of them."""


def says_nothing(evaluation: Evaluation) -> bool:
    """Whether nothing changed, and nothing was found all the same."""
    if evaluation.decision.outcome is Outcome.UNDECIDED:
        return False
    found = any(finding.novelty is Novelty.NEW for finding in evaluation.findings)
    return not (evaluation.changed or found) and evaluation.decision.status is not Status.FAIL


def unchanged(evaluation: Evaluation) -> str:
    """A sentence for a change without files."""
    if evaluation.base_label.startswith(EVERYTHING):
        return "There is no file here to judge" + evaluation.base_label.removeprefix(EVERYTHING) + "."
    return f"Nothing changed against {evaluation.base_label}."


def counted(evaluation: Evaluation) -> str:
    """How many files changed: `12 files changed (2 not Python: data.json (modified), logo.png (binary))`.

    Where every file counts as new, they were judged, and need not have changed.
    """
    others, number = evaluation.others, len(evaluation.files) + len(evaluation.others)
    what = "judged" if evaluation.base_label.startswith(EVERYTHING) else "changed"
    head = f"{number} file{'s' * (number != 1)} {what}"
    if not others:
        return head
    named = ", ".join(f"{row.path} ({row.skipped or row.status})" for row in others[:_NAMED])
    more = f", and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    if not evaluation.files:
        return f"{head}, not Python: {named}{more}"
    return f"{head} ({len(others)} not Python: {named}{more})"
