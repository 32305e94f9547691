"""Tasks, what was recorded of them, and savepoints: in camelCase."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from gateline.protocol.types import Wire

_URI = "Any URI in the folder, or null for the first folder."
_TASK = "An identifier or how it begins; null is the task in progress on this branch."
TierName = Literal["EXEMPT", "LIGHT", "STANDARD", "STRICT"]


class TaskResult(Wire):
    """One piece of work."""

    id: str
    description: str
    tier: str = Field(description="EXEMPT, LIGHT, STANDARD or STRICT: how much is at stake.")
    tier_reason: str = Field(description="Why it has this tier.")
    branch: str = Field(description="Empty for a commit that no branch has.")
    outcome: str = Field(description="in_progress, completed or abandoned.")
    started_at: str = Field(description="UTC, ISO 8601.")
    ended_at: str | None = Field(None, description="UTC, ISO 8601; null while it is in progress.")
    savepoint: str = Field("", description="The newest savepoint; empty when there is none.")


class TodoResult(Wire):
    """An item of a task's list."""

    text: str
    state: Literal["open", "done"]


class StartTaskParams(Wire):
    """A task that begins."""

    uri: str | None = Field(None, description=_URI)
    description: str = Field(min_length=1, description="What it is about.")
    tier: TierName | None = Field(None, description="Null infers it from the change.")
    todos: tuple[str, ...] = Field((), description="What is to be done.")
    plans: tuple[str, ...] = Field((), description="Files that will be changed, relative to the root.")


class UpdateTaskParams(Wire):
    """What is new of a task."""

    uri: str | None = Field(None, description=_URI)
    task: str | None = Field(None, description=_TASK)
    description: str = Field("", description="What it is about; empty leaves it.")
    tier: TierName | None = Field(None, description="Null leaves it.")
    todos: tuple[str, ...] = Field((), description="What is to be done, too.")
    done: tuple[str, ...] = Field((), description="Items that are done.")
    plans: tuple[str, ...] = Field((), description="More files that will be changed.")
    phase: Literal["planning_complete", "execution_complete", "verification_complete"] | None = Field(
        None, description="A phase that is complete."
    )


class FinishTaskParams(Wire):
    """A task that ends."""

    uri: str | None = Field(None, description=_URI)
    task: str | None = Field(None, description=_TASK)
    outcome: Literal["completed", "abandoned"] = Field("completed", description="What became of it.")


class TasksParams(Wire):
    """Whose tasks or savepoints."""

    uri: str | None = Field(None, description=_URI)


class TasksResult(Wire):
    """The tasks of a workspace."""

    tasks: tuple[TaskResult, ...] = Field(description="Newest first.")


class ShowTaskParams(Wire):
    """Which task."""

    uri: str | None = Field(None, description=_URI)
    task: str | None = Field(
        None, description="An identifier or how it begins; null is the newest task of this branch."
    )
    bounded: bool = Field(
        False, description="The page is for a model or an agent: within the bound of its tier, and counted."
    )


class EventResult(Wire):
    """Something that happened in a task."""

    timestamp: str = Field(description="UTC, ISO 8601.")
    kind: str = Field(description="As `checkpoint`, `saved`, `tests`, `commit`, `savepoint`.")
    detail: dict[str, Any] = Field(description="What belongs to the kind.")


class ShowTaskResult(Wire):
    """A task with what was recorded of it; null when this branch has none."""

    task: TaskResult | None = None
    todos: tuple[TodoResult, ...] = ()
    events: tuple[EventResult, ...] = Field((), description="Oldest first; many edits of one file are few.")
    summaries: tuple[dict[str, Any], ...] = ()
    page: str = Field("", description="All of it as Markdown.")
    warning: str = Field("", description="Why the page is not whole, or that its bound comes near.")


class LeftWork(Wire):
    """Work that was left."""

    task: TaskResult
    message: str = Field(description="What a person is told.")
    restore: str = Field(description="The command that brings its content back; empty where nothing can.")


class DetectResult(Wire):
    """Work that was left, if there is any and the change at hand is worth asking."""

    left: LeftWork | None = None


class DetectedParams(Wire):
    """Work that was left, told once."""

    folder: str = Field(description="The folder's URI.")
    left: LeftWork


class UncoveredResult(Wire):
    """Something that a savepoint does not hold."""

    path: str
    reason: str


class SavepointResult(Wire):
    """The content of a workspace at a moment."""

    id: str
    timestamp: str = Field(description="UTC, ISO 8601.")
    label: str = Field(description="Why it was taken.")
    uncovered: tuple[UncoveredResult, ...] = Field((), description="What it does not hold.")


class SavepointsResult(Wire):
    """The savepoints of a workspace."""

    savepoints: tuple[SavepointResult, ...] = Field(description="Newest first.")


class CompareParams(Wire):
    """Which two contents."""

    uri: str | None = Field(None, description=_URI)
    before: str = Field(min_length=1, description="A savepoint, or how its identifier begins.")
    after: str | None = Field(None, description="Another one; null is the content of now.")


class CompareResult(Wire):
    """What differs between two contents."""

    diff: str = Field(description="As `git diff` shows it; empty when nothing differs.")
    files: tuple[str, ...] = Field(description="The files that differ, sorted.")


class RestoreParams(Wire):
    """The argument of the command `gateline.restore`."""

    uri: str | None = Field(None, description=_URI)
    savepoint: str = Field("", description="Which, or how its identifier begins; empty is the last good one.")
    paths: tuple[str, ...] = Field((), description="Only these files or folders, from the repository's top.")
    preview: bool = Field(False, description="Only say what would change.")
    dirty: tuple[str, ...] | None = Field(
        None,
        description="The URIs of all documents that were not saved; null: nobody knows those that the server "
        "is not told of, and only what it knows is restored.",
    )


class StepResult(Wire):
    """What restoring does to a file."""

    path: str = Field(description="From the top of the repository.")
    action: str = Field(description="create, change or delete.")
    conflict: str = Field("", description="Why the file is left alone; empty when it is restored.")


class RestoreResult(Wire):
    """What became of a restore."""

    applied: bool = Field(description="Whether the editor took the edit.")
    savepoint: str = Field(description="What was restored.")
    now: str = Field(description="The savepoint that was taken before: it takes the restore back.")
    steps: tuple[StepResult, ...] = ()
    uncovered: tuple[UncoveredResult, ...] = Field((), description="What the savepoint does not hold.")
