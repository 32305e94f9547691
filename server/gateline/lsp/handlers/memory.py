"""What was learned of a folder. Params are validated by the caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.protocol import memory_methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.memory.lesson import Anchor
    from gateline.protocol.memories import (
        AnchorWire,
        LessonParams,
        LessonsParams,
        NamedLessonsParams,
        RecallParams,
        RememberParams,
        RemindParams,
    )


async def remember(ls: Server, params: RememberParams) -> dict[str, Any]:
    """Store a lesson."""
    from gateline.memory.lesson import Note, Source
    from gateline.session.memory.wire import remember_result

    note = Note(params.text, params.tags, _anchor(params.anchor), Source(params.by))
    with failures():
        return wire(remember_result(await session_at(ls, params.uri).memory.remember(note)))


async def recall(ls: Server, params: RecallParams) -> dict[str, Any]:
    """The lessons for a question or a place."""
    from gateline.session.memory.requests import Recall
    from gateline.session.memory.wire import recall_result

    session = session_at(ls, params.uri)
    operation = "agent" if params.counted else "editor"
    branch = await _branch(ls, params.uri)
    asked = Recall(params.query, _anchor(params.anchor), params.most, params.budget, operation, branch)
    with failures():
        out = await session.memory.recall(asked)
        warning = await session.recorder.hand(out.tokens, "recall") if params.counted else ""
    return wire(recall_result(out, warning))


async def remind(ls: Server, params: RemindParams) -> dict[str, Any]:
    """The lessons to be put before a prompt."""
    import asyncio

    from gateline.protocol.memories import RemindResult

    session = session_at(ls, params.uri)
    batching = session.settings is None or session.settings.worklog.batching
    given = (params.prompt, session.changed, params.asker)
    with failures():
        told = await asyncio.to_thread(session.prompts.before, *given, batching=batching)
    return wire(RemindResult(lessons=told))


async def lessons(ls: Server, params: LessonsParams) -> dict[str, Any]:
    """All lessons."""
    from gateline.protocol.memories import LessonsResult
    from gateline.session.memory.wire import found_result

    with failures():
        found = await session_at(ls, params.uri).memory.all()
    return wire(LessonsResult(lessons=tuple(map(found_result, found))))


async def history(ls: Server, params: LessonParams) -> dict[str, Any]:
    """A lesson with its versions."""
    from gateline.session.memory.wire import history_result

    with failures():
        return wire(history_result(*await session_at(ls, params.uri).memory.history(params.id)))


async def helped(ls: Server, params: NamedLessonsParams) -> dict[str, Any]:
    """Note that lessons helped."""
    from gateline.protocol.memories import LessonsResult
    from gateline.session.memory.wire import lesson_result

    with failures():
        found = await session_at(ls, params.uri).memory.helped(params.ids)
    return wire(LessonsResult(lessons=tuple(map(lesson_result, found))))


async def forget(ls: Server, params: NamedLessonsParams) -> dict[str, Any]:
    """Delete lessons."""
    from gateline.protocol.memories import LessonsResult
    from gateline.session.memory.wire import lesson_result

    with failures():
        found = await session_at(ls, params.uri).memory.forget(params.ids)
    return wire(LessonsResult(lessons=tuple(map(lesson_result, found))))


async def _branch(ls: Server, uri: str | None) -> str:
    import asyncio

    from gateline.session.workspace.branch import branch_at

    return await asyncio.to_thread(branch_at, session_at(ls, uri).root)


def _anchor(given: AnchorWire) -> Anchor:
    from gateline.memory.lesson import Anchor

    return Anchor(given.file, given.symbol, given.rule)


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {
    memory_methods.REMEMBER.name: remember,
    memory_methods.RECALL.name: recall,
    memory_methods.REMIND.name: remind,
    memory_methods.LIST_LESSONS.name: lessons,
    memory_methods.HISTORY_OF_LESSON.name: history,
    memory_methods.HELPED.name: helped,
    memory_methods.FORGET.name: forget,
}
