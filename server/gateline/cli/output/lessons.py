"""Lessons for people and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gateline.cli.terminal import harmless
from gateline.memory.lesson import Lesson, Note, Outcome, Stored, Version
from gateline.worklog.rendering import timestamp

if TYPE_CHECKING:
    from gateline.memory.ranking import Found, Handout


def plain(lesson: Lesson) -> dict[str, Any]:
    """A lesson as JSON has it."""
    note = lesson.note
    return {
        "id": lesson.id,
        "version": lesson.version,
        "text": note.text,
        "tags": list(note.tags),
        "anchor": asdict(note.anchor),
        "source": str(note.source),
        "detail": dict(note.detail),
        "createdAt": timestamp(lesson.created_at),
        "updatedAt": timestamp(lesson.updated_at),
        "uses": lesson.uses,
        "helped": lesson.helped,
    }


def plain_found(found: Found) -> dict[str, Any]:
    """A lesson that was found, as JSON has it."""
    return {
        **plain(found.lesson),
        "why": list(found.why),
        "score": round(found.score, 3),
        "stale": found.stale,
    }


def plain_history(lesson: Lesson, versions: Sequence[Version]) -> dict[str, Any]:
    """A lesson with its versions, as JSON has it."""
    rows = [
        {
            "version": one.number,
            "at": timestamp(one.at),
            "text": one.note.text,
            "tags": list(one.note.tags),
            "anchor": asdict(one.note.anchor),
            "source": str(one.note.source),
            "reason": one.reason,
        }
        for one in versions
    ]
    return {**plain(lesson), "versions": rows}


def told_stored(stored: Stored) -> str:
    """What became of a note."""
    lesson = stored.lesson
    match stored.outcome:
        case Outcome.NOOP:
            return f"{lesson.id}  already known: {harmless(lesson.note.text)}\n"
        case Outcome.CREATE:
            return f"{lesson.id}  new lesson\n"
    assert stored.superseded is not None, "an update has one"
    was = harmless(stored.superseded.note.text)
    return (
        f"{lesson.id}  version {lesson.version}: {stored.reason}\n"
        f"  before: {was}\n"
        f"  both are kept: gateline recall --history {lesson.id}\n"
    )


def told_list(found: Sequence[Found]) -> str:
    """All lessons, a few lines each."""
    return "".join(_told(one) for one in found) or 'no lesson is kept here; gateline remember "…" keeps one\n'


def told_found(out: Handout) -> str:
    """The lessons that answer a question."""
    text = "".join(_told(one) for one in out.found) or "no lesson answers that\n"
    if out.left_out:
        text += f"{out.left_out} more, with a higher --limit or --budget\n"
    for one in out.stale:
        text += f"stale, not counted: {one.lesson.id}, {harmless(one.stale)}\n"
    return text


def told_history(lesson: Lesson, versions: Sequence[Version]) -> str:
    """All versions of a lesson, newest first."""
    lines = [f"{lesson.id}  {len(versions)} version{'s' * (len(versions) != 1)}"]
    for one in reversed(versions):
        why = f" ({one.reason})" if one.reason else ""
        lines += [
            f"  {one.number}  {timestamp(one.at)}, {one.note.source}{why}",
            f"     {harmless(one.note.text)}",
        ]
    return "\n".join(lines) + "\n"


def _told(found: Found) -> str:
    lesson = found.lesson
    known = f"used {lesson.uses}×, helped {lesson.helped}×" if lesson.uses else ""
    versions = f"version {lesson.version}" if lesson.version > 1 else ""
    rest = ", ".join(
        filter(
            None, (*_where(lesson.note), versions, known, *found.why, found.stale and f"stale: {found.stale}")
        )
    )
    return f"{lesson.id}  {harmless(lesson.note.text)}\n" + (f"  {harmless(rest)}\n" if rest else "")


def _where(note: Note) -> list[str]:
    source = "" if note.source == "person" else f"from {note.source}"
    return [str(note.anchor), " ".join(f"#{tag}" for tag in note.tags), source]
