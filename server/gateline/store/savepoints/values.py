"""What is said of savepoints and of restoring them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from gateline.store.savepoints.permissions import FOLDER


class SavepointError(Exception):
    """A savepoint cannot be taken or used; the message says why. Nothing was changed."""


class SavepointUsageError(SavepointError):
    """What was asked for names nothing, or a place that is taken: the person can say it otherwise."""


@contextmanager
def files_told() -> Iterator[None]:
    """A file that cannot be written or read is a SavepointError which names it."""
    try:
        yield
    except OSError as error:
        raise SavepointError(f"{error.filename or 'a file'}: {error.strerror or error}") from None


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
    bits: int | None = None
    """The permissions that it will have; None: those of the file that is there, or the usual ones."""

    @property
    def is_folder(self) -> bool:
        """Whether only a folder's permissions change."""
        return self.mode == FOLDER


@dataclass(frozen=True, slots=True)
class Plan:
    """What restoring a savepoint would do. Nothing was done yet, but a savepoint of now was taken."""

    target: Savepoint
    now: Savepoint
    steps: tuple[Step, ...]
    folders: Mapping[str, int] = field(default_factory=dict)
    """The permissions of folders that are made, by path from the top."""

    @property
    def conflicts(self) -> tuple[Step, ...]:
        """The files that are left alone."""
        return tuple(step for step in self.steps if step.conflict)
