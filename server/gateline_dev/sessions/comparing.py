"""What differs between what one server draws or says and what another one does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateline_dev.bench.editor import Json

REMEMBERED = ("GTL7", "GTL8")
"""Codes of what follows from the work before, which a new server does not know."""


@dataclass(frozen=True)
class Difference:
    """Something that one side has and the other has not."""

    between: str
    """`drawn`, `verdict`: this server and a new one; `check`: this server and the command line."""
    side: str
    """Who has it: `old`, `new` or `check`."""
    path: str
    what: str
    """A code, or the name of a part of the verdict."""
    detail: str

    @property
    def kind(self) -> str:
        """What differences of one cause mostly have in common."""
        return f"{self.between}: {self.what} only {self.side}"


def drawn(
    old: Mapping[str, Sequence[Json]],
    new: Mapping[str, Sequence[Json]],
    root: str,
    but: tuple[str, ...],
    excluded: str = "",
) -> list[Difference]:
    """What is drawn in documents at rest, `but` what begins with these codes.

    Nor in a folder that the settings exclude: its documents are measured against what each server saw first.
    """
    found: list[Difference] = []
    for uri in sorted({*old, *new}):
        if excluded and uri.startswith(f"{root}/{excluded}"):
            continue
        sides = [
            Counter(_line(one) for one in shown.get(uri, ()) if not str(one.get("code")).startswith(but))
            for shown in (old, new)
        ]
        path = uri.removeprefix(root + "/")
        found += _apart("drawn", ("old", "new"), path, *sides)
    return found


def verdicts(between: str, old: Json, new: Json, other: str) -> list[Difference]:
    """Two evaluations of the same texts at the same level."""
    found = []
    for name in ("findings", "suppressed", "fixed", "files", "others", "functions", "limits"):
        sides = [Counter(_row(row) for row in said.get(name) or () if _counts(row)) for said in (old, new)]
        for difference in _apart(between, ("old", other), "", *sides):
            is_finding = difference.what.startswith("GTL")
            what = difference.what if is_finding and name == "findings" else name
            found.append(Difference(between, difference.side, difference.path, what, difference.detail))
    for name in ("score", "decision"):
        one, two = (_plain(said.get(name)) for said in (old, new))
        if one != two and not found:
            found.append(Difference(between, "old", "", name, one))
            found.append(Difference(between, other, "", name, two))
    return found


def _apart(
    between: str, names: tuple[str, str], path: str, one: Counter[str], two: Counter[str]
) -> Iterable[Difference]:
    for name, more, less in ((names[0], one, two), (names[1], two, one)):
        for row in sorted((more - less).elements()):
            what = row.split(" ", 1)[0]
            yield Difference(between, name, path or row.split(" ")[1], what, row)


def _line(diagnostic: Json) -> str:
    """A diagnostic as one line; its identity and links left out."""
    code = str(diagnostic.get("code"))
    span, data = diagnostic["range"], diagnostic.get("data") or {}
    place = "-".join(f"{of['line'] + 1}:{of['character']}" for of in (span["start"], span["end"]))
    said = (code, place, _SEVERITY[diagnostic["severity"]], data.get("novelty"), diagnostic["message"])
    related = [row["message"] for row in diagnostic.get("relatedInformation") or ()]
    return " ".join(map(str, (*said, *([related] if related else ()))))


_SEVERITY = {1: "error", 2: "warning", 3: "information", 4: "hint"}


def _counts(row: Any) -> bool:
    return not (isinstance(row, dict) and str(row.get("code", "")).startswith(REMEMBERED))


def _row(row: Any) -> str:
    if not isinstance(row, dict):
        return f"{row}"
    if "code" in row:
        start = (row["span"]["start"]["line"] + 1, row["span"]["start"]["column"])
        said = (
            row["code"],
            row["path"],
            start,
            row["severity"],
            row["novelty"],
            row["weight"],
            row["message"],
        )
        return " ".join(map(str, said))
    return f"row {row.get('path')} {_plain(row)}"


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
