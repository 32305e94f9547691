"""Dimensions that are measured file by file: one that cannot be measured costs itself, and is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gateline.gates.inputs import Availability
from gateline.gates.sources import unanswered, worst
from gateline.model.evaluation import SourceState
from gateline.model.finding import Dimension
from gateline.model.measure import State
from gateline.model.report import Report

BY_FILE = (Dimension.COVERAGE, Dimension.COMPLEXITY, Dimension.DOCUMENTATION, Dimension.DUPLICATION)
_NAMED = 3
"""Files that are named; the others are counted."""


def files_availability(dimension: Dimension, reports: Mapping[str, Sequence[Report]]) -> Availability | None:
    """What is known of a dimension that was measured in some files and not in others; None elsewhere.

    Each file with something to judge is a source, so that the evidence is the share of the files.
    """
    sources = [
        SourceState(path, last.state, last.reason)
        for path in sorted(reports)
        if (last := worst(r for r in reports[path] if r.dimension is dimension)) is not None
        and last.state not in (State.NOTHING_TO_JUDGE, State.NOT_DUE)
    ]
    silent = unanswered(sources)
    if not silent or len(silent) == len(sources):
        return None
    return Availability(State.MEASURED, _told(dimension, silent, len(sources)), tuple(sources))


def _told(dimension: Dimension, silent: Sequence[SourceState], number: int) -> str:
    """`coverage of 1 of 5 files is not known: cart.py (coverage.py cannot read it)`."""
    named = [f"{one.name} ({one.reason or one.state})" for one in silent[:_NAMED]]
    more = f", and {len(silent) - _NAMED} more" if len(silent) > _NAMED else ""
    verb = "is" if len(silent) == 1 else "are"
    return f"{dimension} of {len(silent)} of {number} files {verb} not known: {', '.join(named)}{more}"
