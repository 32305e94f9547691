"""What counts at which checkpoint. What is not due is shown as soon as it is known, and does not count."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateline.model.finding import SCORED, Dimension
from gateline.model.level import Level

JUDGED = (*SCORED, Dimension.PERFORMANCE, Dimension.DUPLICATION, Dimension.INTEGRITY)
"""The dimensions of a breakdown, in its order; those after the scored ones have no weight."""

DUE: Mapping[Dimension, Level] = MappingProxyType(
    {
        Dimension.ERRORS: Level.EARLY,
        Dimension.COVERAGE: Level.MIDDLE,
        Dimension.SECURITY: Level.MIDDLE,
        Dimension.COMPLEXITY: Level.FINAL,
        Dimension.DOCUMENTATION: Level.FINAL,
        Dimension.PERFORMANCE: Level.FINAL,
        Dimension.DUPLICATION: Level.FINAL,
        Dimension.INTEGRITY: Level.EARLY,
    }
)
"""The first checkpoint at which a dimension counts."""


def is_due(dimension: Dimension, level: Level) -> bool:
    """Whether findings and measures of `dimension` count at `level`."""
    return dimension in DUE and DUE[dimension].rank <= level.rank
