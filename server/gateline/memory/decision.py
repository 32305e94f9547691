"""What becomes of a note: known already, a new version of a lesson, or a new lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gateline.memory.lesson import Note, Outcome
from gateline.memory.wording import digest_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """A lesson that a note may be about, and how alike both are, 0–1."""

    number: int
    note: Note
    likeness: float
    threshold: float
    """The likeness from which on both are about one subject."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, with which lesson, and why."""

    outcome: Outcome
    reason: str
    number: int = 0
    """Of the lesson; 0 for a new one."""


def decide(note: Note, known: Sequence[Candidate]) -> Decision:
    """What becomes of a note beside the lessons that are nearest to it.

    The same normalised content at the same place is known; at a place, or with tags, that were not named
    before it is a new version. A lesson of another place is another lesson.
    """
    content = digest_of(note.text)
    near = [one for one in known if not note.anchor.contradicts(one.note.anchor)]
    for one in near:
        if digest_of(one.note.text) == content:
            return _same(note, one)
    best = max(near, key=lambda one: (one.likeness, -one.number), default=None)
    if best is None or best.likeness < best.threshold:
        nearest = (
            f"the nearest lesson has similarity {best.likeness:.2f}, below {best.threshold:.2f}"
            if best
            else ""
        )
        return Decision(Outcome.CREATE, nearest or "no similar lesson is known")
    return Decision(Outcome.UPDATE, f"of the same subject ({best.likeness:.2f})", best.number)


def _same(note: Note, known: Candidate) -> Decision:
    if note.anchor.adds_to(known.note.anchor):
        return Decision(Outcome.UPDATE, f"the same, now about {note.anchor}", known.number)
    if new := [tag for tag in note.tags if tag not in known.note.tags]:
        return Decision(Outcome.UPDATE, f"the same, also tagged {', '.join(new)}", known.number)
    return Decision(Outcome.NOOP, "the same content is known", known.number)
