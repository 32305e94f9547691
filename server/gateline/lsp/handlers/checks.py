"""What agents ask: a check within a time, repairs of files, savepoints, and what they were handed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.protocol import check_methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.protocol.checks import CheckParams, HandedParams, PreviewParams, TakeParams
    from gateline.protocol.debugging import FixParams
    from gateline.session.tasks.recording.journal import Journal
    from gateline.session.tasks.recording.rollback import Rollback
    from gateline.store.savepoints.values import Savepoint


async def check(ls: Server, params: CheckParams) -> dict[str, Any]:
    """Judge what is there, or what is not written yet."""
    from gateline.session.checks.wire import check_result, question_of

    checks, patience = session_at(ls, params.uri).checks, params.patience / 1000
    with failures():
        if params.known:
            return wire(check_result(await checks.known()))
        if params.handle is not None:
            return wire(check_result(await checks.poll(params.handle, patience)))
        return wire(check_result(await checks.ask(question_of(params), patience)))


async def fix(ls: Server, params: FixParams) -> dict[str, Any]:
    """Look for repairs of the errors in files on the disk; nothing is written."""
    from gateline.session.repairs.fixing import Asked
    from gateline.session.repairs.wire import fix_to_wire

    asked = Asked(tests=False, clear=params.clear, old=params.all)
    with failures():
        return wire(fix_to_wire(await session_at(ls, params.uri).fix(params.paths, asked)))


async def handed(ls: Server, params: HandedParams) -> dict[str, Any]:
    """Count what an agent was handed."""
    from gateline.protocol.checks import HandedResult

    with failures():
        took, paths = params.milliseconds, params.paths
        warning = await session_at(ls, params.uri).recorder.hand(
            params.tokens, params.operation, took=took, paths=paths, degraded=params.degraded
        )
    return wire(HandedResult(warning=warning))


async def take(ls: Server, params: TakeParams) -> dict[str, Any]:
    """Keep the content of now; the task in progress has it as its newest savepoint."""
    from gateline.session.tasks.recording.texts import unsaved
    from gateline.session.tasks.wire import savepoint_result

    session = session_at(ls, params.uri)
    with failures():
        texts = await session.recorder.texts()

        def keep(journal: Journal) -> Savepoint:
            savepoints = journal.savepoints()
            laid = unsaved(journal.root, savepoints.root, texts)
            made = savepoints.take(params.label, journal.now(), laid)
            journal.ask(lambda tasks, branch: tasks.saved(branch, made.id))
            return made

        return wire(savepoint_result(await session.recorder.use(keep)))


async def preview(ls: Server, params: PreviewParams) -> dict[str, Any]:
    """Say what restoring would do."""
    from gateline.session.tasks.recording.rollback import Seen, rollback
    from gateline.session.tasks.wire import restore_result

    session = session_at(ls, params.uri)
    with failures():
        texts = await session.recorder.texts()

        def look(journal: Journal) -> Rollback:
            seen = Seen(frozenset(texts), frozenset())
            return rollback(journal, params.savepoint, params.paths, texts, seen)

        return wire(restore_result(await session.recorder.use(look), applied=False))


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {
    check_methods.CHECK.name: check,
    check_methods.FIX.name: fix,
    check_methods.HANDED.name: handed,
    check_methods.TAKE_SAVEPOINT.name: take,
    check_methods.PREVIEW_RESTORE.name: preview,
}
