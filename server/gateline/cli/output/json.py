"""The evaluation as JSON; its schema is in `schemas/evaluation.json`."""

from __future__ import annotations

from gateline.session.check_result import CheckResult


def render(result: CheckResult) -> str:
    """The canonical bytes: the same content gives the same text, wherever it was judged."""
    if result.json and result.regression is None and result.trajectory is None:
        return result.json.decode()
    # What checks types at run time is slow to import.
    from gateline.session.judge.wire import canonical_json

    return canonical_json(result.evaluation, result.regression, result.trajectory).decode()
