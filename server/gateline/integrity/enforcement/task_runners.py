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


def task(text: str, name: str) -> str | None:
    """The commands that one name stands for; None where it is not there."""
    found = next((tasks[name] for tasks in tasks_of(text) if name in tasks), None)
    return None if found is None else "\n".join(_written(found))


def _written(value: Any) -> Iterator[str]:
    """The commands in it; what names other tasks is a command of its own."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _written(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _written(item)


def _tasks(table: Any) -> Iterator[Any]:
    for name, value in table.items() if isinstance(table, dict) else ():
        if name in ("scripts", "tasks"):
            yield value
        else:
            yield from _tasks(value)
