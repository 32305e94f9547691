"""The evaluation as JSON; its schema is in `schemas/evaluation.json`."""

from __future__ import annotations

from gateline.session.check import CheckResult
from gateline.session.wire import canonical_json


def render(result: CheckResult) -> str:
    """The canonical bytes: the same content gives the same text, wherever it was judged."""
    return canonical_json(result.evaluation).decode()
