"""Tables that were there before, and whose keys tests go through: one more row is no special case."""

from __future__ import annotations

from collections.abc import Callable

from gateline.integrity.change_view import Both
from gateline.integrity.rules.input_special_cased.answer_tables import Table, tables_in

_FEW = 4
"""Fewer rows may be special cases themselves."""


def is_as_before(table: Table, both: Both, is_asked: Callable[[Table], bool]) -> bool:
    """Whether a table has all the rows that it had, of which tests give most, and few others."""
    return any(
        (old.function, old.name) == (table.function, table.name)
        and set(old.items) <= set(table.items)
        and (len(old.items) == len(table.items) or (len(old.items) >= _FEW and is_asked(old)))
        and 2 * len(old.items) >= len(table.items)
        for pair in both.product
        if pair.base
        for old in pair.base.listed(tables_in)
    )
