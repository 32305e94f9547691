"""Refinement loops that a person starts and follows in the editor. Params are validated by the caller."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.lsp.handlers.restoring import begin, carried_out, documents
from gateline.lsp.progress import work_done
from gateline.protocol import refinement_methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.protocol.refinements import (
        LoopDiffParams,
        LoopParams,
        LoopsParams,
        StartRefinementParams,
        TakeOverParams,
    )
    from gateline.refinement.state import LoopState
    from gateline.session.refinement.requests import Run
    from gateline.session.refinement.service import Standing
    from gateline.session.session import Session
    from gateline.session.tasks.recording.rollback import Rollback

_CANCELLED = "cancelled by a person"
_TAKEN_OVER = "a person took over"


async def start(ls: Server, params: StartRefinementParams) -> dict[str, Any]:
    """Begin a loop."""
    from gateline.refinement.state import Rules
    from gateline.session.refinement.requests import Asked, Run, plan_in

    session = session_at(ls, params.uri)
    rules = Rules(rounds=params.rounds, seconds=params.seconds, tokens=params.tokens, cost=params.cost)
    with failures():
        await session.tests.agreed()
        python = session.options.python or ""
        plan = await asyncio.to_thread(plan_in, session.root, params.plan) if params.plan else None
        texts = await _unsaved(session)
        asked = Asked(params.goal, params.agents, rules, python=python, plan=plan, texts=texts)
        return await _followed(ls, session, Run(session.root, asked))


async def resume(ls: Server, params: LoopParams) -> dict[str, Any]:
    """Go on with a loop."""
    from gateline.session.refinement.requests import Asked, Run

    session = session_at(ls, params.uri)
    with failures():
        await session.tests.agreed()
        state = (await session.refinement.find(params.loop)).state
        asked = Asked(resume=state.id, python=session.options.python or "")
        return await _followed(ls, session, Run(session.root, asked))


async def status(ls: Server, params: LoopsParams) -> dict[str, Any]:
    """All loops."""
    from gateline.protocol.refinements import LoopsResult

    session = session_at(ls, params.uri)
    with failures():
        found, troubles = await session.refinement.all()
    loops = tuple(_result(session, one) for one in found)
    return wire(LoopsResult(loops=loops, troubles=tuple(troubles)))


async def pause(ls: Server, params: LoopParams) -> dict[str, Any]:
    """Have a loop rest after the round that is under way."""
    session = session_at(ls, params.uri)
    with failures():
        return wire(_result(session, await session.refinement.pause(params.loop)))


async def cancel(ls: Server, params: LoopParams) -> dict[str, Any]:
    """End a loop at once."""
    session = session_at(ls, params.uri)
    with failures():
        return wire(_result(session, await session.refinement.end(params.loop, _CANCELLED)))


async def diff(ls: Server, params: LoopDiffParams) -> dict[str, Any]:
    """What a round changed, or the whole result."""
    from gateline.protocol.refinements import LoopDiffResult
    from gateline.session.refinement.taking_over import difference

    session = session_at(ls, params.uri)
    with failures():
        state = (await session.refinement.find(params.loop)).state
        after = _content(state, params.round)
        done = [one for one in state.rounds if one.number == params.round]
        before = done[0].start if done else state.tree
        text, files = await session.recorder.use(lambda journal: difference(journal, before, after))
    return wire(LoopDiffResult(diff=text, files=files))


async def take_over(ls: Server, params: TakeOverParams) -> dict[str, Any]:
    """End a loop, and write what it found as one edit."""
    from gateline.protocol.refinements import TakeOverResult
    from gateline.session.errors import UsageError

    session = session_at(ls, params.uri)
    with failures(), ExitStack() as alone:
        state = (await session.refinement.find(params.loop)).state
        _content(state, params.round)
        if not ls.client.applying:
            raise UsageError(
                "this editor does not accept edits from the server; use `gateline refine --apply`"
            )
        await session.recorder.use(lambda journal: begin(journal, alone))
        standing = await session.refinement.end(state.id, _TAKEN_OVER)
        tree = _content(standing.state, params.round)
        made = await _taken_over(ls, session, standing.state, tree, params)
        written = await carried_out(ls, made, f"Take over refine {state.id}")
    return wire(TakeOverResult(loop=_result(session, standing), written=written))


async def _taken_over(
    ls: Server, session: Session, state: LoopState, tree: str, params: TakeOverParams
) -> Rollback:
    from gateline.session.refinement.taking_over import take_over_loop

    texts = await session.recorder.texts()
    opened = documents(ls, params.dirty)
    return await session.recorder.use(
        lambda journal: take_over_loop(journal, state, tree, texts, opened.seen(journal))
    )


async def _unsaved(session: Session) -> dict[str, str]:
    """The texts that were not saved, by path from the top of the repository."""
    from gateline.session.tasks.recording.texts import unsaved

    texts = await session.recorder.texts()
    return await session.recorder.use(lambda journal: unsaved(journal.root, journal.savepoints().root, texts))


async def _followed(ls: Server, session: Session, request: Run) -> dict[str, Any]:
    """Run a loop, and tell the client of it until it stands still."""
    told: asyncio.Queue[Standing] = asyncio.Queue()

    def hear(standing: Standing) -> None:
        told.put_nowait(standing)
        params = wire(_result(session, standing))
        ls.protocol.notify(refinement_methods.REFINEMENT_PROGRESS.name, params)

    standing = await session.refinement.run(request, hear)
    session.refinement.beside(_shown(ls, session, standing.state.id, told))
    return wire(_result(session, standing))


async def _shown(ls: Server, session: Session, loop: str, told: asyncio.Queue[Standing]) -> None:
    """Show progress with a button that cancels, until nobody runs the loop."""
    from gateline.session.refinement.service import Phase

    try:
        async with work_done(ls, None, "gateline refine") as tell:
            while (standing := await told.get()).phase in (Phase.RUNNING, Phase.PAUSING):
                if standing.step:
                    tell(standing.step)
    except asyncio.CancelledError:
        if not session.refinement.is_stopping:
            await session.refinement.end(loop, _CANCELLED)
        raise


def _content(state: LoopState, number: int) -> str:
    from gateline.session.refinement.taking_over import content_of

    try:
        return content_of(state, number)
    except ValueError as error:
        raise JsonRpcInvalidParams(f"round: {error}") from None


def _result(session: Session, standing: Standing) -> Any:
    from gateline.session.refinement.wire import loop_result

    return loop_result(standing, session.root.as_uri())


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {
    refinement_methods.START_REFINEMENT.name: start,
    refinement_methods.LIST_REFINEMENTS.name: status,
    refinement_methods.PAUSE_REFINEMENT.name: pause,
    refinement_methods.RESUME_REFINEMENT.name: resume,
    refinement_methods.CANCEL_REFINEMENT.name: cancel,
    refinement_methods.REFINEMENT_DIFF.name: diff,
    refinement_methods.TAKE_OVER_REFINEMENT.name: take_over,
}
