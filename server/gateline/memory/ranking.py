"""What is handed out: the order of lessons for a question, and how many fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gateline.memory.lesson import Anchor, Lesson
from gateline.model.token_count import CHARACTERS

MOST = 5
"""Lessons that are handed out at once, where nobody asks for another number."""
_SINKS = 0.2
"""What a lesson loses at most that never helped."""
_DOUBT = 5
"""Uses after which a lesson that never helped has lost half of it."""
WEIGHTS: Mapping[str, float] = {
    "words": 0.5,
    "static": 0.5,
    "semantic": 1.0,
    "file": 0.3,
    "symbol": 0.5,
    "rule": 0.5,
}
FLOOR = 0.3
"""Less is no answer to the question."""


@dataclass(frozen=True, slots=True)
class Found:
    """A lesson that may answer a question."""

    lesson: Lesson
    signals: Mapping[str, float]
    """`words`: how well words match, 0–1; by tier: the cosine."""
    why: tuple[str, ...] = ()
    score: float = 0.0
    stale: str = ""
    """What of its anchor is gone; empty while all is there."""


@dataclass(frozen=True, slots=True)
class Handout:
    """What is handed out."""

    found: tuple[Found, ...]
    left_out: int = 0
    """Lessons that would have answered and did not fit."""
    tokens: int = 0
    stale: tuple[Found, ...] = field(default=())
    """Those that would have been handed out if their anchors were there still."""


def ranked(found: Iterable[Found], wanted: Anchor) -> list[Found]:
    """The lessons that answer a question about `wanted`, best first, each with its score and the reasons."""
    scored = (_scored(one, wanted) for one in found)
    kept = [one for one in scored if one.score >= FLOOR]
    return sorted(kept, key=lambda one: (-one.score - _sunk(one.lesson), one.lesson.id))


def handed(found: Sequence[Found], most: int, budget: int) -> Handout:
    """The best of ranked lessons: at most so many, in so many tokens. What is stale is not handed out."""
    live = [one for one in found if not one.stale]
    kept: list[Found] = []
    room = budget
    for one in live[:most]:
        cost = tokens_of(one.lesson)
        if cost > room:
            break
        room -= cost
        kept.append(one)
    stale = tuple(one for one in found[: most + 1] if one.stale)
    return Handout(tuple(kept), len(live) - len(kept), budget - room, stale)


def tokens_of(lesson: Lesson) -> int:
    """About how many tokens a lesson takes with what is told of it: one for each four characters."""
    note = lesson.note
    return -(-(len(note.text) + len(str(note.anchor)) + sum(map(len, note.tags)) + 40) // CHARACTERS)


def _sunk(lesson: Lesson) -> float:
    """How far a lesson sinks for uses that did not help, as a number below 0."""
    missed = max(0, lesson.uses - lesson.helped)
    return -_SINKS * missed / (lesson.uses + _DOUBT)


def _scored(one: Found, wanted: Anchor) -> Found:
    anchor = one.lesson.note.anchor
    places = {
        "file": bool(wanted.file) and anchor.file == wanted.file,
        "symbol": bool(wanted.symbol) and anchor.symbol == wanted.symbol,
        "rule": bool(wanted.rule) and anchor.rule == wanted.rule,
    }
    signals = {**one.signals, **{name: float(there) for name, there in places.items() if there}}
    total = sum(WEIGHTS.get(name, 0.0) * value for name, value in signals.items())
    tiers = [WEIGHTS[name] for name in ("words", "static", "semantic") if name in one.signals]
    score = total / max(1e-9, sum(tiers)) if tiers else total
    why = [f"about this {name}" for name, there in places.items() if there]
    why += [word for name, word in _WHY.items() if one.signals.get(name, 0.0) >= 0.35]
    return Found(one.lesson, one.signals, tuple(why), score, one.stale)


_WHY = {"words": "same words", "static": "related words", "semantic": "similar in meaning"}
