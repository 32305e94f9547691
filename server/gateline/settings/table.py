"""Nested tables: put a value in, lay one over another, take a key out. No table is changed but by `put`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gateline.settings.places import Key

Table = dict[str, Any]


def put(table: Table, key: Iterable[str], value: object) -> None:
    """Sets `table[a][b][c]`, with the tables between made where they are missing."""
    *above, last = key
    for name in above:
        inner = table.get(name)
        if not isinstance(inner, dict):
            inner = table[name] = {}
        table = inner
    table[last] = value


def nested(key: Iterable[str], value: object) -> Table:
    """A table that holds `value` at `key` and nothing else."""
    table: Table = {}
    put(table, key, value)
    return table


def merged(lower: Table, upper: Table) -> Table:
    """`upper` laid over `lower`; tables are joined, all else is replaced."""
    joined = dict(lower)
    for name, value in upper.items():
        below = joined.get(name)
        both_tables = isinstance(below, dict) and isinstance(value, dict)
        joined[name] = merged(below, value) if both_tables else value  # type: ignore[arg-type]
    return joined


def known_part(table: Table, key: Key) -> Key:
    """The longest beginning of `key` that is in `table`."""
    value: Any = table
    for depth, name in enumerate(key):
        if not _holds(value, name):
            return key[:depth]
        value = value[name]
    return key


def at(table: Table, key: Key) -> Any:
    """The value at `key`; None when it is not there."""
    value: Any = table
    for name in key:
        if not _holds(value, name):
            return None
        value = value[name]
    return value


def without(table: Table, key: Key) -> Table:
    """A copy without the value at `key`, which must be there; without anything when `key` is empty."""
    return _without(table, key) if key else {}


def _without(value: Any, key: Key) -> Any:
    name, *rest = key
    copy = value.copy()
    if rest:
        copy[name] = _without(value[name], tuple(rest))
    else:
        del copy[name]
    return copy


def _holds(value: Any, name: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(name, int) and name < len(value)
    return isinstance(value, dict) and name in value
