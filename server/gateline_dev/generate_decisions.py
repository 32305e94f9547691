"""Writes the list of the decision records from their headings and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
_PATH = "docs/decisions/README.md"
_HEAD = re.compile(r"# (?P<number>\d+)\. (?P<title>.+)\n\n(?P<date>\d{4}-\d\d-\d\d)\n\n")
_INTRODUCTION = """\
# Decisions

Why things are as they are: the problem, what was chosen, what else was tried, and figures. A record begins
with `# number. title` and its date, and is written into when the choice is revised. `make generate` writes
this list.

| number | date | decision |
|---|---|---|
"""


def render() -> dict[str, str]:
    """The list by its path in the repository. Raises ValueError for another beginning."""
    return {_PATH: _INTRODUCTION + "".join(_rows())}


def _rows() -> Iterator[str]:
    for record in sorted(_FOLDER.glob("[0-9]*.md")):
        head = _HEAD.match(record.read_text(encoding="utf-8"))
        if head is None or int(head["number"]) != int(record.name[:4]):
            raise ValueError(f"{record.name}: a record begins with its number, title and date: `# 7. Tests`")
        yield f"| {head['number']} | {head['date']} | [{head['title']}]({record.name}) |\n"
