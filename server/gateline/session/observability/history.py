"""What a workspace's store tells of the work so far: scores, what broke gates, time, repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gateline.evals.run import Run
from gateline.model import Status
from gateline.session.observability.counting import observed
from gateline.session.observability.families import STEP
from gateline.session.repairs.records import Happened, RepairRecords, Tally
from gateline.session.tasks.metrics import Measured, Metrics
from gateline.store.audit import AuditTrail, Entry
from gateline.store.database import Database
from gateline.store.evals import EvalRuns
from gateline.store.folders import DATABASE, state_of
from gateline.store.lessons import Lessons

NEWEST = 500
"""So many decisions are looked at."""


@dataclass(frozen=True, slots=True)
class Point:
    """A score at the final checkpoint, when a content was judged first."""

    at: datetime
    score: float
    outcome: str
    branch: str


@dataclass(frozen=True, slots=True)
class Broken:
    """What stands in decisions that failed: new findings by code, and in how many of them."""

    code: str
    decisions: int
    findings: int


@dataclass(frozen=True, slots=True)
class StepTime:
    """A step of judging, over all checks that were timed."""

    step: str
    checks: int
    seconds: float
    """Of all of them."""

    @property
    def mean(self) -> float:
        """Seconds a check."""
        return self.seconds / self.checks


@dataclass(frozen=True, slots=True)
class Repair:
    """A pattern of repairs, and what people did with it."""

    pattern: str
    offered: int
    accepted: int
    undone: int


@dataclass(frozen=True, slots=True)
class Saved:
    """Time that was not spent."""

    answers: int
    """Checks that were answered from what was judged before, and whose first judging was timed."""
    seconds: float
    untimed: int
    """Such answers whose first judging nobody timed."""
    older: int = 0
    """Such answers whose first judging is before the decisions that are looked at."""


@dataclass(frozen=True, slots=True)
class History:
    """All of it; what is empty was not recorded."""

    decisions: int
    since: datetime | None
    points: tuple[Point, ...]
    """Oldest first."""
    failed: int
    """Decisions that failed, of different contents."""
    broken: tuple[Broken, ...]
    saved: Saved
    steps: tuple[StepTime, ...]
    """The slowest on average first."""
    repairs: tuple[Repair, ...]
    searched: tuple[int, int]
    """Searches for a repair that found one, and all."""
    tasks: Measured
    evals: tuple[Run, ...]
    lessons: int
    cut: bool = False
    """Whether there are older decisions than those that were looked at."""


def history(root: Path, folder: Path | None = None) -> History:
    """What is recorded of the workspace at `root`. Blocks. Raises StoreError.

    `folder` takes the place of the user's state folder. What became of repairs is kept for all workspaces
    of the user together.
    """
    database = Database(state_of(root, folder) / DATABASE)
    try:
        trail = AuditTrail(database)
        entries = trail.entries(newest=NEWEST)
        judged = [one for one in entries if one.content.get("level")]
        first = [one for one in judged if "again" not in one.content]
        tally = RepairRecords(folder).tally()
        failed = [one for one in first if one.content.get("status") == Status.FAIL]
        return History(
            len(judged),
            judged[0].at if judged else None,
            tuple(_points(first)),
            len(failed),
            tuple(_broken(one.content for one in failed)),
            _saved(judged, entries[0].number if entries else 0),
            tuple(_steps(database)),
            tuple(_repairs(tally)),
            _searched(tally),
            Metrics(database).measured(),
            tuple(EvalRuns(database).newest()),
            Lessons(database).count(),
            trail.extent().count > len(entries),
        )
    finally:
        database.close()


def _points(entries: Iterable[Entry]) -> Iterable[Point]:
    for one in entries:
        score = one.content.get("score")
        if one.content["level"] == "final" and isinstance(score, int | float):
            yield Point(one.at, float(score), str(one.content["outcome"]), str(one.content.get("branch", "")))


def _broken(contents: Iterable[Mapping[str, Any]]) -> list[Broken]:
    decisions: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    for content in contents:
        new: Mapping[str, int] = content.get("findings", {}).get("new", {})
        decisions.update(new.keys())
        findings.update(new)
    ordered = sorted(decisions, key=lambda code: (-decisions[code], -findings[code], code))
    return [Broken(code, decisions[code], findings[code]) for code in ordered]


def _saved(entries: Sequence[Entry], oldest: int) -> Saved:
    """The time saved; `oldest`: the number of the first decision that is looked at."""
    timed = {one.number: _whole(one.content) for one in entries}
    answers = [one.content["again"] for one in entries if _is_from_cache(one.content)]
    within = [number for number in answers if number >= oldest]
    known = [seconds for number in within if (seconds := timed.get(number)) is not None]
    return Saved(len(known), sum(known), len(within) - len(known), len(answers) - len(within))


def _whole(content: Mapping[str, Any]) -> float | None:
    took = content.get("took")
    return took.get("whole") if isinstance(took, dict) else None


def _is_from_cache(content: Mapping[str, Any]) -> bool:
    """Whether a command answered what was judged before: an editor's repetitions were judged, untimed."""
    return "again" in content and content.get("by") == "check" and not content.get("took")


def _steps(database: Database) -> list[StepTime]:
    found = [
        StepTime(one.labels["step"], one.count, one.total)
        for one in observed(database)
        if one.name == STEP.name
    ]
    return sorted(found, key=lambda one: -one.mean)


def _repairs(tally: Tally) -> list[Repair]:
    found = [
        Repair(
            name, *(tally.of(what, name) for what in (Happened.OFFERED, Happened.ACCEPTED, Happened.UNDONE))
        )
        for name in tally.patterns
    ]
    return sorted((one for one in found if one.offered or one.accepted), key=lambda one: -one.accepted)


def _searched(tally: Tally) -> tuple[int, int]:
    found = tally.of(Happened.FOUND)
    return found, found + tally.of(Happened.MISSED)
