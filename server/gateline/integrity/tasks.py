"""Commands that pyproject.toml gives names to, for hatch, pdm, poe and the like."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

_TOOLS = ("hatch", "pdm", "poe", "rye", "taskipy")


def tasks_of(text: str) -> list[Any]:
    """The tables of such commands; none where the text cannot be read."""
    try:
        tools = tomllib.loads(text).get("tool", {})
    except ValueError:
        return []
    return [named for tool in _TOOLS for named in _tasks(tools.get(tool))]


def _tasks(table: Any) -> Iterator[Any]:
    for name, value in table.items() if isinstance(table, dict) else ():
        if name in ("scripts", "tasks"):
            yield value
        else:
            yield from _tasks(value)
