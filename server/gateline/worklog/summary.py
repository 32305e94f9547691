"""Summaries of a task at its phases, made of its recorded events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath

from gateline.worklog.task import CHANGING, Event, EventKind, Phase, Task, TaskOutcome, Tier

DUE: Mapping[Tier, tuple[Phase, ...]] = {
    Tier.STRICT: tuple(Phase),
    Tier.STANDARD: (Phase.EXECUTION_COMPLETE,),
    Tier.LIGHT: (),
    Tier.EXEMPT: (),
}
"""The phases at which a task of each tier is summed up: exactly once each."""
_DONE = "done"
_NEAR = 5.0
"""Points below the best score that are still good."""


class Closing(StrEnum):
    """Why a task is summed up at no phase: its events are about to go, or nobody goes on with it."""

    ABANDONED = "abandoned"
    EVICTED = "evicted"


class DeviationKind(StrEnum):
    """How work differs from what was planned."""

    TODO_INCOMPLETE = "todo_incomplete"
    UNPLANNED_FILE = "unplanned_file"
    TEST_FAILURE = "test_failure"


class DeviationSeverity(StrEnum):
    """How much a deviation matters."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Deviation:
    """One difference from the plan."""

    kind: DeviationKind
    severity: DeviationSeverity
    detail: str


@dataclass(frozen=True, slots=True)
class Verification:
    """How many tests passed, failed and were skipped when they ran last."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """What happened in a task since the last summary, and where it stands."""

    phase: str
    """A phase, or what a `Closing` names; `evicted 2` where it is the second of that name."""
    timestamp: datetime
    operations: Mapping[str, int]
    """How many events of each kind there were since the last summary."""
    files_modified: tuple[str, ...]
    """Since the last summary."""
    todos_completed: tuple[str, ...]
    todos_remaining: tuple[str, ...]
    deviations: tuple[Deviation, ...]
    verification: Verification


def due(task: Task, events: Sequence[Event]) -> tuple[Phase, ...]:
    """The phases that were reached, in their order, at which this task is summed up."""
    reached = {event.text("phase") for event in events if event.kind is EventKind.PHASE}
    return tuple(phase for phase in DUE[task.tier] if phase in reached)


def summaries(task: Task, events: Sequence[Event]) -> tuple[Summary, ...]:
    """Every summary that is due, and the closing one of a task that was abandoned, whatever its tier.

    The same events give the same summaries, whenever they are asked for.
    """
    made, begin = _at_phases(task, events)
    if task.outcome is not TaskOutcome.ABANDONED:
        return made
    return (*made, *_closing(Closing.ABANDONED, events, begin))


def evicted(task: Task, events: Sequence[Event], name: str = Closing.EVICTED) -> tuple[Summary, ...]:
    """The summaries of a task that loses its events and goes on: those due, and one of what came since."""
    made, begin = _at_phases(task, events)
    return (*made, *_closing(name, events, begin))


def _at_phases(task: Task, events: Sequence[Event]) -> tuple[tuple[Summary, ...], int]:
    """The summaries at phases, and where what they do not tell of begins.

    Each tells of what came since the one before it in time: a phase may be said after a later one.
    """
    made: dict[Phase, Summary] = {}
    begin = 0
    for end, phase in sorted((_reached(events, phase), phase) for phase in due(task, events)):
        made[phase] = _summary(phase, events[: end + 1], events[begin : end + 1])
        begin = end + 1
    return tuple(made[phase] for phase in Phase if phase in made), begin


def _closing(name: str, events: Sequence[Event], begin: int) -> Iterator[Summary]:
    """A summary of what no phase tells of; none where there is nothing of that but the end itself."""
    rest = [event for event in events[begin:] if event.kind is not EventKind.FINISHED]
    if rest:
        yield _summary(name, events, rest)


def _reached(events: Sequence[Event], phase: Phase) -> int:
    """Where a phase was reached first."""
    marks = (event.kind is EventKind.PHASE and event.text("phase") == phase for event in events)
    return next(number for number, mark in enumerate(marks) if mark)


def _summary(phase: str, until: Sequence[Event], since: Sequence[Event]) -> Summary:
    todos = todos_of(until)
    return Summary(
        phase,
        until[-1].at,
        dict(
            sorted(Counter(str(event.kind) for event in since if event.kind is not EventKind.PHASE).items())
        ),
        _changed(since),
        tuple(text for text, state in todos.items() if state == _DONE),
        tuple(text for text, state in todos.items() if state != _DONE),
        deviations(phase, until),
        _verification(until),
    )


def deviations(phase: str, events: Sequence[Event]) -> tuple[Deviation, ...]:
    """Where the work differs from the plan when a phase is reached.

    A todo that is left is of medium severity when the execution ends and high when the verification does;
    before, it is no deviation. A file that nobody planned is low beside planned ones, else medium; without a
    plan no file is. A test that fails is high, at whatever phase.
    """
    return (*_left(phase, events), *_unplanned(events), *_failing(events))


def _left(phase: str, events: Sequence[Event]) -> tuple[Deviation, ...]:
    if phase == Phase.PLANNING_COMPLETE:
        return ()
    last = phase == Phase.VERIFICATION_COMPLETE
    severity = DeviationSeverity.HIGH if last else DeviationSeverity.MEDIUM
    left = (text for text, state in todos_of(events).items() if state != _DONE)
    return tuple(Deviation(DeviationKind.TODO_INCOMPLETE, severity, text) for text in left)


def _unplanned(events: Sequence[Event]) -> tuple[Deviation, ...]:
    planned = [path for event in events if event.kind is EventKind.PLANNED for path in event.texts("paths")]
    if not planned:
        return ()
    folders = {PurePosixPath(path).parent for path in planned}
    return tuple(
        Deviation(
            DeviationKind.UNPLANNED_FILE,
            DeviationSeverity.LOW if PurePosixPath(path).parent in folders else DeviationSeverity.MEDIUM,
            path,
        )
        for path in _changed(events)
        if path not in planned
    )


def _failing(events: Sequence[Event]) -> tuple[Deviation, ...]:
    runs = [event for event in events if event.kind is EventKind.TESTS]
    failed = runs[-1].number("failed") if runs else 0
    named = runs[-1].texts("failing") if runs else ()
    details = (*named, *([f"{failed - len(named)} more"] if named and failed > len(named) else []))
    if failed and not named:
        details = (f"{failed} failing",)
    return tuple(Deviation(DeviationKind.TEST_FAILURE, DeviationSeverity.HIGH, text) for text in details)


def last_good(savepoints: Sequence[Event]) -> str:
    """The newest of some savepoints whose score is near the best one; empty when none has a score."""
    scores = [(event.detail.get("score"), event.text("id")) for event in savepoints]
    known = [(score, name) for score, name in scores if isinstance(score, int | float)]
    best = max((score for score, _ in known), default=0.0)
    return next((name for score, name in reversed(known) if score >= best - _NEAR), "")


def todos_of(events: Sequence[Event]) -> dict[str, str]:
    """The newest state of each todo, in the order in which they came."""
    return {event.text("text"): event.text("state") for event in events if event.kind is EventKind.TODO}


def _changed(events: Sequence[Event]) -> tuple[str, ...]:
    return tuple(sorted({event.text("path") for event in events if event.kind in CHANGING}))


def _verification(events: Sequence[Event]) -> Verification:
    runs = [event for event in events if event.kind is EventKind.TESTS]
    return (
        Verification(*(runs[-1].number(n) for n in ("passed", "failed", "skipped")))
        if runs
        else Verification()
    )
