"""What happened and is not written yet: of what repeats only the newest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from gateline.model import Evaluation, Level
from gateline.worklog.task import CHANGING, Event, EventKind

_ECHO = timedelta(seconds=5)
"""So long after a save the news that the file was written is the save itself."""


class Noted:
    """Takes what happens in memory; many edits of one file are one."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._events: dict[object, Event] = {}
        self._saved: dict[str, datetime] = {}
        self.judged: dict[Level, Evaluation] = {}
        """The newest evaluation of each checkpoint."""
        self._decided: list[tuple[datetime, Evaluation]] = []
        self._last: Evaluation | None = None
        """What was decided last."""
        self.is_due = False
        """Whether it was arranged that somebody writes it."""

        self.moved = False
        """Whether git wrote something: another commit or branch may be checked out."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened that belongs into a task."""
        return not (self._events or self.judged or self.moved)

    def decide(self, evaluation: Evaluation, *, asked: bool) -> None:
        """A decision was given. One that nobody asked for, and that says what the last one said, is none."""
        if asked or self._last is None or _said(evaluation) != _said(self._last):
            self._decided.append((self._clock(), evaluation))
        self._last = evaluation

    def decisions(self) -> tuple[tuple[datetime, Evaluation], ...]:
        """All decisions, oldest first; none is noted then."""
        found, self._decided = tuple(self._decided), []
        return found

    def add(self, kind: EventKind, detail: Mapping[str, object]) -> None:
        """Something happened now."""
        event = Event(self._clock(), kind, dict(detail))
        if kind is EventKind.SAVED:
            self._saved[event.text("path")] = event.at
        key = (kind, event.text("path")) if kind in CHANGING else len(self._events)
        self._events.pop(key, None)
        self._events[key] = event

    def was_saved(self, path: str) -> bool:
        """Whether a file was saved by the editor just now."""
        at = self._saved.get(path)
        return at is not None and self._clock() - at < _ECHO

    def taken(self) -> tuple[tuple[Event, ...], tuple[Evaluation, ...]]:
        """Everything, oldest first; nothing is noted then."""
        events = tuple(sorted(self._events.values(), key=lambda event: event.at))
        judged = tuple(self.judged[level] for level in Level if level in self.judged)
        self.clear()
        return events, judged

    def put_back(self, events: Iterable[Event]) -> None:
        """These belong to a change that nobody knows yet; of a file edited since, the newer one stays."""
        kept: dict[object, Event] = {
            (event.kind, event.text("path")): event for event in events if event.kind in CHANGING
        }
        self._events = {**kept, **self._events}

    def clear(self) -> None:
        """Forget everything but what was saved just now."""
        self._events, self.judged, self.is_due, self.moved = {}, {}, False, False
        limit = self._clock() - _ECHO
        self._saved = {path: at for path, at in self._saved.items() if at > limit}


def _said(evaluation: Evaluation) -> tuple[object, ...]:
    """What makes a decision another one."""
    score = evaluation.score
    return evaluation.level, evaluation.content, evaluation.decision, score.value, score.evidence
