"""Tasks, work that was left, savepoints. Params are validated by the caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.protocol import task_methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.protocol.tasks import (
        CompareParams,
        FinishTaskParams,
        ShowTaskParams,
        StartTaskParams,
        TasksParams,
        UpdateTaskParams,
    )
    from gateline.session.tasks.recording.journal import Journal
    from gateline.session.tasks.summing import TaskLog
    from gateline.session.tasks.tasks import Tasks
    from gateline.worklog.task import Task
    from gateline.worklog.tokens import Handed

T = TypeVar("T")


async def start(ls: Server, params: StartTaskParams) -> dict[str, Any]:
    """Begin a task."""
    from gateline.session.tasks.tasks import SAID, said, tier_for
    from gateline.session.tasks.wire import task_result
    from gateline.worklog.task import Tier
    from gateline.worklog.tier import InferredTier

    session = session_at(ls, params.uri)
    with failures():
        change = await session.recorder.change()
    tier = InferredTier(Tier(params.tier), SAID) if params.tier else None

    def begin(tasks: Tasks, branch: str, commit: str) -> Task:
        found = tier or tier_for(change, session.recorder.settings)
        made = tasks.start(params.description, found, branch, commit=commit)
        tasks.record(made, *said(params.todos, (), params.plans))
        return made

    def ask(journal: Journal) -> Task:
        return journal.ask(lambda tasks, branch: begin(tasks, branch, journal.commit))

    with failures():
        return wire(task_result(await session.recorder.use(ask)))


async def update(ls: Server, params: UpdateTaskParams) -> dict[str, Any]:
    """Say how far a task is."""
    from gateline.session.tasks.current_task import wanted
    from gateline.session.tasks.tasks import SAID, said
    from gateline.session.tasks.wire import task_result
    from gateline.worklog.task import Phase, Tier
    from gateline.worklog.tier import InferredTier

    def note(tasks: Tasks, branch: str) -> Task:
        known = wanted(tasks, params.task or "", branch)
        tier = InferredTier(Tier(params.tier), SAID) if params.tier else None
        if tier or params.description:
            known = tasks.change(known, tier, params.description)
        tasks.record(known, *said(params.todos, params.done, params.plans))
        if params.phase:
            tasks.phase(known, Phase(params.phase))
        return known

    return wire(task_result(await _asked(ls, params.uri, note)))


async def finish(ls: Server, params: FinishTaskParams) -> dict[str, Any]:
    """End a task."""
    from gateline.session.tasks.current_task import wanted
    from gateline.session.tasks.wire import show_result
    from gateline.worklog.task import TaskOutcome

    def end(tasks: Tasks, branch: str) -> tuple[TaskLog, Handed]:
        ended = tasks.finish(wanted(tasks, params.task or "", branch), TaskOutcome(params.outcome))
        return tasks.log(ended), tasks.page(ended)

    return wire(show_result(*await _asked(ls, params.uri, end)))


async def tasks_of(ls: Server, params: TasksParams) -> dict[str, Any]:
    """All tasks."""
    from gateline.protocol.tasks import TasksResult
    from gateline.session.tasks.wire import task_result

    known = await _asked(ls, params.uri, lambda tasks, _: tasks.all())
    return wire(TasksResult(tasks=tuple(map(task_result, known))))


async def show(ls: Server, params: ShowTaskParams) -> dict[str, Any]:
    """A task with what was recorded of it; without a name also one that has ended, or none."""
    from gateline.protocol.tasks import ShowTaskResult
    from gateline.session.tasks.current_task import wanted
    from gateline.session.tasks.wire import show_result

    def look(tasks: Tasks, branch: str) -> tuple[TaskLog, Handed] | None:
        if not params.task and not any(task.branch == branch for task in tasks.all()):
            return None
        known = wanted(tasks, params.task or "", branch, ended=True)
        return tasks.log(known), tasks.page(known, bounded=params.bounded)

    found = await _asked(ls, params.uri, look)
    return wire(show_result(*found) if found else ShowTaskResult.model_validate({}))


async def detect(ls: Server, params: TasksParams) -> dict[str, Any]:
    """Work that was left, whether or not it was told."""
    from gateline.protocol.tasks import DetectResult
    from gateline.session.tasks.wire import left_work

    session = session_at(ls, params.uri)
    with failures():
        found = await session.recorder.left()
    return wire(DetectResult(left=left_work(found) if found else None))


async def savepoints(ls: Server, params: TasksParams) -> dict[str, Any]:
    """All savepoints."""
    from gateline.protocol.tasks import SavepointsResult
    from gateline.session.tasks.wire import savepoint_result

    with failures():
        known = await session_at(ls, params.uri).recorder.use(lambda journal: journal.savepoints().all())
    return wire(SavepointsResult(savepoints=tuple(map(savepoint_result, known))))


async def compare(ls: Server, params: CompareParams) -> dict[str, Any]:
    """What differs between two savepoints, or one and now."""
    from gateline.protocol.tasks import CompareResult
    from gateline.session.tasks.recording.rollback import difference

    session = session_at(ls, params.uri)
    with failures():
        texts = await session.recorder.texts()
        diff, files = await session.recorder.use(
            lambda journal: difference(journal, params.before, params.after, texts)
        )
    return wire(CompareResult(diff=diff, files=files))


async def _asked(ls: Server, uri: str | None, question: Callable[[Tasks, str], T]) -> T:
    with failures():
        return await session_at(ls, uri).recorder.ask(question)


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {
    task_methods.START_TASK.name: start,
    task_methods.UPDATE_TASK.name: update,
    task_methods.FINISH_TASK.name: finish,
    task_methods.LIST_TASKS.name: tasks_of,
    task_methods.SHOW_TASK.name: show,
    task_methods.DETECT.name: detect,
    task_methods.SAVEPOINTS.name: savepoints,
    task_methods.COMPARE.name: compare,
}
