"""What is said of savepoints and of restoring them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SavepointError(Exception):
    """A savepoint cannot be taken or used; the message says why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Uncovered:
    """Something of the workspace that a savepoint does not hold."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Savepoint:
    """The content of a workspace at a moment. `at` has a time zone."""

    id: str
    at: datetime
    tree: str
    label: str
    """Why it was taken, for people."""
    uncovered: tuple[Uncovered, ...] = ()
    head: str = ""
    """The commit that was checked out; empty when there was none."""

    @property
    def complete(self) -> bool:
        """Whether it holds everything that is not ignored."""
        return not self.uncovered


class Action(StrEnum):
    """What restoring does to a file."""

    CREATE = "create"
    CHANGE = "change"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a restore."""

    path: str
    action: Action
    mode: str
    """git's mode of what will be there; empty for nothing."""
    blob: str
    """git's name of what will be there; empty for nothing."""
    before: str
    """git's name of what is there now; empty for nothing."""
    conflict: str = ""
    """Why the file is left alone; empty when it is restored."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What restoring a savepoint would do. Nothing was done yet, but a savepoint of now was taken."""

    target: Savepoint
    now: Savepoint
    steps: tuple[Step, ...]

    @property
    def conflicts(self) -> tuple[Step, ...]:
        """The files that are left alone."""
        return tuple(step for step in self.steps if step.conflict)
