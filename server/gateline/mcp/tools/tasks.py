"""`task` and `worklog`: a goal, a plan, todos, progress; and what was recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from gateline.mcp.paging import Page, paged, short
from gateline.mcp.tool import Answer, Desk, Params, Tool
from gateline.protocol import task_methods as methods

_TASK = "How a task's id begins; empty: the one in progress on this branch."
_TODOS = 100


class TaskParams(Params):
    """What to do with the task of this branch."""

    action: Literal["show", "start", "update", "finish", "list"] = "show"
    task: Annotated[str, Field(max_length=80, description=_TASK)] = ""
    goal: Annotated[str, Field(max_length=500, description="What it is about; needed by start.")] = ""
    todos: Annotated[tuple[str, ...], Field(max_length=_TODOS, description="What is to be done, too.")] = ()
    done: Annotated[
        tuple[str, ...], Field(max_length=_TODOS, description="Todos that are done, word by word.")
    ] = ()
    plan: Annotated[
        tuple[str, ...], Field(max_length=200, description="Files that will be changed, from the root.")
    ] = ()
    phase: Literal["planning_complete", "execution_complete", "verification_complete"] | None = None
    outcome: Annotated[Literal["completed", "abandoned"], Field(description="Of finish.")] = "completed"
    after: Annotated[str, Field(max_length=500, description="The last todo or task id that you have.")] = ""

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.action == "start" and not self.goal:
            raise ValueError("start needs a goal")
        return self


class TodoRow(BaseModel):
    """Something to be done."""

    text: str
    state: str = Field(description="open or done.")


class TaskRow(BaseModel):
    """A task in short."""

    id: str
    goal: str
    outcome: str
    branch: str


class TaskAnswer(Answer):
    """How the task stands."""

    id: Annotated[str, Field(description="Empty: no task is in progress on this branch.")] = ""
    goal: str = ""
    tier: Annotated[str, Field(description="EXEMPT, LIGHT, STANDARD or STRICT: how much is at stake.")] = ""
    tier_reason: str = ""
    outcome: str = ""
    done: Annotated[int, Field(description="Of the todos.")] = 0
    of: int = 0
    todos: tuple[TodoRow, ...] = ()
    tasks: Annotated[tuple[TaskRow, ...], Field(description="Of list: newest first.")] = ()


class WorklogParams(Params):
    """Which task."""

    task: Annotated[str, Field(max_length=80, description=_TASK)] = ""
    whole: Annotated[bool, Field(description="Also past the bound of tokens of the task's tier.")] = False


class WorklogAnswer(Answer):
    """What was recorded."""

    id: str = ""
    page: Annotated[str, Field(description="Markdown, within the bound of the task's tier unless whole.")] = (
        ""
    )


async def task(desk: Desk, params: TaskParams) -> TaskAnswer:
    """Show, start, update or finish a task."""
    if params.action == "list":
        return await _listed(desk, params)
    which = {"task": params.task or None}
    if params.action == "start":
        given = {"description": params.goal, "todos": params.todos, "plans": params.plan}
        made = await desk.ask(methods.START_TASK.name, given)
        which = {"task": made["id"]}
    elif params.action == "update":
        said = {"description": params.goal, "todos": params.todos, "done": params.done, "plans": params.plan}
        made = await desk.ask(methods.UPDATE_TASK.name, {**which, **said, "phase": params.phase})
        which = {"task": made["id"]}
    elif params.action == "finish":
        made = await desk.ask(methods.FINISH_TASK.name, {**which, "outcome": params.outcome})
        which = {"task": made["task"]["id"]}
    return _shown(await desk.ask(methods.SHOW_TASK.name, which), params)


def _shown(told: Mapping[str, Any], params: TaskParams) -> TaskAnswer:
    known = told["task"]
    if known is None:
        action = "call task with action start and a goal, or go on: a task begins with the first change"
        return TaskAnswer(fresh=True, next_action=action)
    todos = [TodoRow(text=row["text"], state=row["state"]) for row in told["todos"]]
    still = next((row.text for row in todos if row.state == "open"), "")
    goes_on = known["outcome"] == "in_progress"
    answer = TaskAnswer(
        content_hash=_hash(told),
        fresh=True,
        id=known["id"],
        goal=short(known["description"]),
        tier=known["tier"],
        tier_reason=short(known["tierReason"]),
        outcome=known["outcome"],
        done=sum(row.state == "done" for row in todos),
        of=len(todos),
        next_action=short(still or "call checkpoint with level final, then finish") if goes_on else "",
    )
    page = Page(after=params.after, budget=params.budget)
    return paged(answer, "todos", todos, lambda row: row.text, page)


async def _listed(desk: Desk, params: TaskParams) -> TaskAnswer:
    told = await desk.ask(methods.LIST_TASKS.name)
    rows = [
        TaskRow(
            id=row["id"], goal=short(row["description"], 120), outcome=row["outcome"], branch=row["branch"]
        )
        for row in told["tasks"]
    ]
    answer = TaskAnswer(content_hash=_hash(told), fresh=True)
    return paged(answer, "tasks", rows, lambda row: row.id, Page(after=params.after, budget=params.budget))


async def worklog(desk: Desk, params: WorklogParams) -> WorklogAnswer:
    """What was recorded of a task, within the bound of its tier."""
    told = await desk.ask(methods.SHOW_TASK.name, {"task": params.task or None, "bounded": not params.whole})
    if told["task"] is None:
        return WorklogAnswer(fresh=True, next_action="nothing was recorded on this branch yet")
    return WorklogAnswer(
        content_hash=_hash(told),
        fresh=True,
        id=told["task"]["id"],
        page=short(told["page"], params.budget * 4 - 1200),
        warning=told["warning"],
    )


def _hash(told: Mapping[str, Any]) -> str:
    return hashlib.blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


TOOLS = (
    Tool(
        "task",
        "Task",
        "The piece of work on this branch: start it with a goal, todos and planned files, say what is done, "
        "finish it. Where there are todos, they say how far the work is, and which checkpoint is due.",
        TaskParams,
        TaskAnswer,
        task,
        reads=False,
    ),
    Tool(
        "worklog",
        "Worklog",
        "What was recorded of the task: a time line, todos, summaries, deviations from the plan.",
        WorklogParams,
        WorklogAnswer,
        worklog,
    ),
)
