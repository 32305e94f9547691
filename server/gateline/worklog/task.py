"""Tasks and their events: what is recorded, and nothing that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType


class Tier(StrEnum):
    """How much is at stake in a task, and so how much is written down."""

    EXEMPT = "EXEMPT"
    LIGHT = "LIGHT"
    STANDARD = "STANDARD"
    STRICT = "STRICT"


class TaskOutcome(StrEnum):
    """What became of a task."""

    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class Phase(StrEnum):
    """What a task has behind it, in this order."""

    PLANNING_COMPLETE = "planning_complete"
    EXECUTION_COMPLETE = "execution_complete"
    VERIFICATION_COMPLETE = "verification_complete"


class EventKind(StrEnum):
    """What happened. The values in `Event.detail` are named beside each."""

    STARTED = "started"
    """`automatic`: true when nobody asked for it; `commit`: what was checked out."""
    PLANNED = "planned"
    """`paths`: the files that the task is expected to change."""
    TODO = "todo"
    """`text` and `state`: open or done."""
    EDITED = "edited"
    """`path`: a document was edited, by hand or by an agent."""
    SAVED = "saved"
    """`path`."""
    EXTERNAL_EDIT = "external_edit"
    """`path`: another program wrote the file; `digest` of its content, where a check saw it."""
    CHECKPOINT = "checkpoint"
    """`level`, `outcome`, `score` (or null), `progress`."""
    TESTS = "tests"
    """`passed`, `failed`, `skipped`: how many; `failing`: the identifiers of those that failed."""
    COMMIT = "commit"
    """`id`, `subject`."""
    BRANCH = "branch"
    """`name`: switched to."""
    SAVEPOINT = "savepoint"
    """`id`; at a checkpoint `level` and `score` (or null)."""
    PHASE = "phase"
    """`phase`: reached."""
    HANDED = "handed"
    """`tokens`, `operation`: text that was given to a model or an agent; `milliseconds` that it took, and
    `paths`: the files that it shows, where that is known; `degraded`: true where something was missing."""
    METRICS = "metrics"
    """`tokens`: handed so far, by operation; `bound`: how many the tier allows."""
    SKIPPED = "skipped"
    """`operation`, `reason`: an optional operation that there was no time for."""
    FINISHED = "finished"
    """`outcome`."""


CHANGING = frozenset({EventKind.EDITED, EventKind.SAVED, EventKind.EXTERNAL_EDIT})
"""What changes a file, named as `path`."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a task. `at` has a time zone."""

    at: datetime
    kind: EventKind
    detail: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    def text(self, name: str) -> str:
        """A value of the detail as text; "" when there is none."""
        value = self.detail.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        """A value of the detail as a count; 0 when there is none."""
        value = self.detail.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    def texts(self, name: str) -> tuple[str, ...]:
        """A value of the detail as a list of texts."""
        value = self.detail.get(name)
        return (
            tuple(part for part in value if isinstance(part, str)) if isinstance(value, list | tuple) else ()
        )


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work with a goal. Times have a time zone."""

    id: str
    description: str
    tier: Tier
    tier_reason: str
    started_at: datetime
    branch: str = ""
    outcome: TaskOutcome = TaskOutcome.IN_PROGRESS
    ended_at: datetime | None = None
    last_access: datetime | None = None
    """When it was written to or looked at last."""
    savepoint: str = ""
    """The newest savepoint that was taken in it; empty when there is none."""
