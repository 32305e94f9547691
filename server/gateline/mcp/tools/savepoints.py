"""`savepoint` and `restore_preview`: keep the content of now, and what going back would do."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from gateline.mcp.paging import Page, cut, paged, short
from gateline.mcp.tool import Answer, Desk, Params, Tool
from gateline.protocol.check_methods import PREVIEW_RESTORE, TAKE_SAVEPOINT
from gateline.protocol.task_methods import COMPARE, SAVEPOINTS

_SECONDS = 30.0


class SavepointParams(Params):
    """What to do."""

    action: Literal["take", "list", "compare"] = "take"
    label: Annotated[str, Field(min_length=1, max_length=200, description="Of take: why.")] = (
        "asked for by an agent"
    )
    before: Annotated[str, Field(max_length=80, description="Of compare: how a savepoint's id begins.")] = ""
    to: Annotated[
        str, Field(max_length=80, description="Of compare: another one; empty: what there is now.")
    ] = ""
    after: Annotated[
        str, Field(max_length=80, description="The last id that you have, or the line to go on from.")
    ] = ""

    @model_validator(mode="after")
    def _two(self) -> Self:
        if self.action == "compare" and not self.before:
            raise ValueError("compare needs before")
        return self


class SavepointRow(BaseModel):
    """A content that was kept."""

    id: str
    timestamp: str
    label: str
    uncovered: int = Field(description="So many files it does not hold.")


class SavepointAnswer(Answer):
    """Savepoints, or what differs."""

    savepoints: tuple[SavepointRow, ...] = ()
    files: Annotated[tuple[str, ...], Field(description="Of compare: what differs.")] = ()
    diff: str = ""


class PreviewParams(Params):
    """What to go back to."""

    savepoint: Annotated[
        str, Field(max_length=80, description="How its id begins; empty: the last good one.")
    ] = ""
    paths: Annotated[
        tuple[str, ...], Field(max_length=200, description="Only these files or folders, from the root.")
    ] = ()
    after: Annotated[str, Field(max_length=4096, description="The last path that you have.")] = ""


class StepRow(BaseModel):
    """What restoring would do to a file."""

    path: str
    action: str = Field(description="create, change or delete.")
    conflict: str = Field(description="Why the file would be left alone; empty: it would not.")


class PreviewAnswer(Answer):
    """What restoring would do. Only a person restores."""

    savepoint: str = ""
    command: Annotated[str, Field(description="What a person runs to restore.")] = ""
    steps: tuple[StepRow, ...] = ()


async def savepoint(desk: Desk, params: SavepointParams) -> SavepointAnswer:
    """Take, list or compare."""
    if params.action == "compare":
        return await _compared(desk, params)
    if params.action == "take":
        made = await desk.ask(TAKE_SAVEPOINT.name, {"label": params.label}, _SECONDS)
        action = "go on; restore_preview says what going back would do"
        return SavepointAnswer(
            content_hash=_hash(made["id"]), fresh=True, savepoints=(_row(made),), next_action=action
        )
    told = await desk.ask(SAVEPOINTS.name)
    rows = [_row(row) for row in told["savepoints"]]
    answer = SavepointAnswer(content_hash=_hash(*(row.id for row in rows)), fresh=True)
    page = Page(after=params.after, budget=params.budget)
    return paged(answer, "savepoints", rows, lambda row: row.id, page)


def _row(told: dict[str, Any]) -> SavepointRow:
    return SavepointRow(
        id=told["id"],
        timestamp=told["timestamp"],
        label=short(told["label"], 120),
        uncovered=len(told["uncovered"]),
    )


async def _compared(desk: Desk, params: SavepointParams) -> SavepointAnswer:
    told = await desk.ask(COMPARE.name, {"before": params.before, "after": params.to or None}, _SECONDS)
    lines = told["diff"].splitlines(keepends=True)
    begin = int(params.after) if params.after.isdecimal() else 0
    text, rest = cut("".join(lines[begin:]), params.budget - 300)
    left = len(rest.splitlines())
    return SavepointAnswer(
        content_hash=_hash(told["diff"]),
        fresh=True,
        files=tuple(map(short, told["files"][:20])),
        diff=text,
        left_out=left,
        after=str(len(lines) - left) if left else "",
    )


async def restore_preview(desk: Desk, params: PreviewParams) -> PreviewAnswer:
    """What going back would do."""
    told = await desk.ask(
        PREVIEW_RESTORE.name, {"savepoint": params.savepoint, "paths": params.paths}, _SECONDS
    )
    rows = [
        StepRow(path=row["path"], action=row["action"], conflict=short(row["conflict"]))
        for row in told["steps"]
    ]
    command = f"gateline restore {told['savepoint']} --write"
    answer = PreviewAnswer(
        content_hash=_hash(told["now"]),
        fresh=True,
        savepoint=told["savepoint"],
        command=command,
        next_action="ask the person to run the command, if that is what should happen",
    )
    page = Page(after=params.after, budget=params.budget)
    return paged(answer, "steps", rows, lambda row: row.path, page)


def _hash(*told: str) -> str:
    return hashlib.blake2b("\n".join(told).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


TOOLS = (
    Tool(
        "savepoint",
        "Savepoint",
        "Keep the content of every file that is not ignored, outside the repository and without touching "
        "git; list what was kept, or compare it with now.",
        SavepointParams,
        SavepointAnswer,
        savepoint,
        reads=False,
    ),
    Tool(
        "restore_preview",
        "Preview a restore",
        "What restoring a savepoint would do to each file. It restores nothing: only a person does, with the "
        "command in the answer.",
        PreviewParams,
        PreviewAnswer,
        restore_preview,
    ),
)
