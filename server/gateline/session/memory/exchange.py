"""Lessons as JSON lines: one lesson with all of its versions on each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from gateline.memory.lesson import Anchor, Note, Source, Version
from gateline.session.errors import UsageError
from gateline.session.memory.memory import Memory, checked

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lessons came in, were brought up to date, and were known."""

    created: int = 0
    updated: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class Carried:
    """A lesson as a line has it."""

    id: str
    versions: tuple[Version, ...]

    @property
    def newest(self) -> Version:
        """What it says now."""
        return self.versions[-1]


def exported(memory: Memory) -> Iterator[str]:
    """A line for each lesson, oldest first."""
    for row in memory.lessons.all():
        versions = [plain_version(version) for version in memory.lessons.versions(row.number)]
        yield json.dumps({"format": FORMAT, "id": row.lesson.id, "versions": versions}, ensure_ascii=False)


def imported(memory: Memory, lines: Iterable[str], name: str) -> Imported:
    """Take in lessons, all or none. Raises UsageError that names the line of `name` that cannot be read.

    A lesson that is here keeps its place and gets the versions that are new. What says the same as another
    lesson is known. Nothing is merged by its meaning: two people's memories stay as they wrote them.
    """
    carried = [_carried(line, f"{name}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    counts = {"created": 0, "updated": 0, "known": 0}
    with memory.taking_in() as take_in:
        for one in carried:
            counts[take_in(one.id, one.versions)] += 1
    return Imported(**counts)


def plain_version(version: Version) -> dict[str, Any]:
    """A version as JSON has it."""
    note = version.note
    return {
        "version": version.number,
        "at": version.at.astimezone(UTC).isoformat(),
        "text": note.text,
        "tags": list(note.tags),
        "anchor": {name: value for name, value in asdict(note.anchor).items() if value},
        "source": str(note.source),
        "detail": dict(note.detail),
        "reason": version.reason,
    }


def _carried(line: str, where: str) -> Carried:
    try:
        found = json.loads(line)
        if found["format"] != FORMAT:
            raise UsageError(
                f"{where}: format {found['format']!r} is not {FORMAT}: update gateline to read it"
            )
        versions = tuple(map(_version, found["versions"]))
        name = found["id"]
        if not isinstance(name, str) or not name or not versions:
            raise ValueError("id and versions must not be empty")
    except UsageError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        told = f"no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{where} is not a lesson that gateline exported: {told}") from None
    try:
        for version in versions:
            checked(version.note)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
    return Carried(name, versions)


def _version(row: Mapping[str, Any]) -> Version:
    anchor = row.get("anchor") or {}
    given = Anchor(**{name: str(value) for name, value in anchor.items()})
    tags = tuple(map(str, row.get("tags") or ()))
    note = Note(str(row["text"]), tags, given, Source(row["source"]), dict(row.get("detail") or {}))
    at = datetime.fromisoformat(row["at"])
    if at.tzinfo is None:
        raise ValueError(f"at {row['at']!r} has no time zone")
    return Version(int(row["version"]), at, note, str(row.get("reason") or ""))
