"""Lessons as they go over the wire."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from gateline.memory.lesson import Lesson, Stored, Version
from gateline.protocol.memories import (
    AnchorWire,
    HistoryOfLessonResult,
    LessonResult,
    RecallResult,
    RememberResult,
    VersionResult,
)
from gateline.worklog.rendering import timestamp

if TYPE_CHECKING:
    from gateline.memory.ranking import Found, Handout


def lesson_result(lesson: Lesson, why: tuple[str, ...] = (), stale: str = "") -> LessonResult:
    """A lesson."""
    note = lesson.note
    return LessonResult(
        id=lesson.id,
        version=lesson.version,
        text=note.text,
        tags=note.tags,
        anchor=AnchorWire(**asdict(note.anchor)),
        source=str(note.source),
        created_at=timestamp(lesson.created_at),
        updated_at=timestamp(lesson.updated_at),
        uses=lesson.uses,
        helped=lesson.helped,
        stale=stale,
        why=why,
    )


def found_result(found: Found) -> LessonResult:
    """A lesson that was found."""
    return lesson_result(found.lesson, found.why, found.stale)


def remember_result(stored: Stored) -> RememberResult:
    """What became of a note."""
    return RememberResult(
        outcome=stored.outcome.value,
        reason=stored.reason,
        lesson=lesson_result(stored.lesson),
        superseded=stored.superseded.note.text if stored.superseded else "",
    )


def recall_result(out: Handout, warning: str) -> RecallResult:
    """What is handed out."""
    return RecallResult(
        lessons=tuple(map(found_result, out.found)),
        left_out=out.left_out,
        stale=len(out.stale),
        tokens=out.tokens,
        warning=warning,
    )


def history_result(lesson: Lesson, versions: list[Version]) -> HistoryOfLessonResult:
    """A lesson with its versions."""
    rows = [
        VersionResult(
            version=one.number,
            timestamp=timestamp(one.at),
            text=one.note.text,
            source=str(one.note.source),
            reason=one.reason,
        )
        for one in versions
    ]
    return HistoryOfLessonResult(lesson=lesson_result(lesson), versions=tuple(rows))
