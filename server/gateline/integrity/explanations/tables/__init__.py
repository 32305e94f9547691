"""One table of explanations for each question, in the order in which they are asked."""

from __future__ import annotations

from typing import Any

from gateline.integrity.explanations.explanation import Explanation, Table
from gateline.integrity.explanations.tables.changed_value import CHANGED_VALUE
from gateline.integrity.explanations.tables.dropped_check import DROPPED_CHECK
from gateline.integrity.explanations.tables.missing_check import EXAMPLE, MISSING_CHECK
from gateline.integrity.explanations.tables.removed_test import REMOVED_TEST
from gateline.integrity.explanations.tables.suppression import SUPPRESSION

TABLES: tuple[Table[Any], ...] = (
    *(EXAMPLE, MISSING_CHECK, DROPPED_CHECK),
    *(CHANGED_VALUE, REMOVED_TEST, SUPPRESSION),
)
"""All tables: those of a check that is gone first, in the order in which they are asked."""


def explanations() -> tuple[Explanation[Any], ...]:
    """All explanations, in the order of the tables."""
    return tuple(row for table in TABLES for row in table.rows)
