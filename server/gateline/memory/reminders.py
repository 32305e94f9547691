"""Which lessons are put before work unasked: regressions of the operation, and what concerns its files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gateline.memory.lesson import Lesson, Source
from gateline.memory.ranking import Found

FAILURE, REGRESSION = "eval-failure", "regression"
"""Tags of lessons that say that something got worse, or is not good enough."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Work that is about to begin."""

    operations: tuple[str, ...] = ()
    """What it uses, as suites of evals are named: `refinement`, `repairs`."""
    files: tuple[str, ...] = ()
    """The files at hand, relative to the workspace."""
    branch: str = ""


def reminders(lessons: Iterable[Lesson], occasion: Occasion) -> list[Found]:
    """The lessons to be put before an occasion, most important first, each with the reason.

    What got worse comes before what failed, that before fixes, and all of it before the rest about the files.
    Among equals those that helped come first, then the newest.
    """
    found = [(ranked, one) for one in lessons if (ranked := _ranked(one, occasion)) is not None]
    found.sort(key=lambda row: (row[0][0], -row[1].helped, -row[1].updated_at.timestamp(), row[1].id))
    return [Found(lesson, {}, (why,)) for (_, why), lesson in found]


def _ranked(lesson: Lesson, occasion: Occasion) -> tuple[int, str] | None:
    """How early a lesson comes, and why it is told; None: it is not."""
    note = lesson.note
    about = f"about {note.anchor.file}" if note.anchor.file and note.anchor.file in occasion.files else ""
    used = next((name for name in occasion.operations if name in note.tags), "")
    here = (
        note.source is Source.REGRESSION
        and occasion.branch != ""
        and note.detail.get("branch") == occasion.branch
    )
    why = about or (f"of {used}" if used else "") or (f"on {occasion.branch}" if here else "")
    if REGRESSION in note.tags and why:
        return 0, f"a regression {why}"
    if FAILURE in note.tags and why:
        return 1, f"an eval failed {why}"
    if not about:
        return None
    return (2, f"a fix {about}") if note.source is Source.FIX else (3, about)
