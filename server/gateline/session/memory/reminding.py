"""Hands out what was learned before work begins: unasked, within a bound, each use noted.

Nothing here makes vectors: what is at hand is known by its names.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.memory.lesson import Lesson, Source
from gateline.memory.ranking import Found, Handout, handed
from gateline.memory.reminders import FAILURE, REGRESSION, Occasion, reminders
from gateline.session.memory.anchors import Anchors
from gateline.session.tasks.tasks import Tasks
from gateline.store.database import Database
from gateline.store.lessons import Lessons
from gateline.worklog.task import Tier
from gateline.worklog.tokens import budget

_LOOKED_AT = 200
"""Lessons with a tag, or about the files at hand, that are looked at: the newest."""


def reminded(
    database: Database,
    root: Path,
    occasion: Occasion,
    most: int,
    budget: int,
    besides: Collection[str] = (),
    source: Source | None = None,
) -> Handout:
    """The lessons for what is about to be done: at most `most`, in at most `budget` tokens.

    What is about something that is gone is left out, and so are those `besides`, and those of another
    `source` where one is named. Blocks. Raises StoreError.
    """
    lessons = Lessons(database)
    known = lessons.tagged((REGRESSION, FAILURE), _LOOKED_AT)
    if occasion.files:
        known += lessons.about(occasion.files, _LOOKED_AT)
    known = [one for one in known if source is None or one.note.source is source]
    once = {one.id: one for one in known if one.id not in besides}
    anchors = Anchors(root)
    found = [
        replace(one, stale=anchors.gone(one.lesson.note.anchor)) for one in reminders(once.values(), occasion)
    ]
    return handed(found, most, budget)


def note_uses(
    database: Database, out: Handout, occasion: Occasion, besides: Collection[str] = ()
) -> list[Lesson]:
    """Note that lessons were handed out, but for those that were before. Blocks. Raises StoreError."""
    new = [one.lesson for one in out.found if one.lesson.id not in besides]
    if new:
        operation = occasion.operations[0] if occasion.operations else "reminder"
        with Lessons(database).writing(durable=False) as writing:
            writing.use([one.id for one in new], datetime.now(UTC), operation, occasion.branch)
    return new


def left_of(tasks: Tasks, branch: str, *, batching: bool) -> int:
    """Tokens that the task of a branch may still be handed, or as many as a usual one may. Blocks."""
    task = tasks.current(branch)
    if task is None:
        return budget(Tier.STANDARD, 0, batching=batching).bound
    return budget(task.tier, sum(tasks.handed(task).values()), batching=batching).left


def sentence(found: Found) -> str:
    """A lesson as an agent is told it: what somebody wrote down, its place and why it is told."""
    anchor = found.lesson.note.anchor
    place = f"{anchor}: " if anchor else ""
    return f"{place}{found.lesson.note.text} [{found.lesson.id}, {', '.join(found.why)}]"
