"""Candidate solutions that a person compares in the editor. Params are validated by the caller."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.lsp.handlers.restoring import begin, carried_out, documents
from gateline.lsp.progress import work_done
from gateline.protocol import comparison_methods

if TYPE_CHECKING:
    from gateline.lsp.handlers.editor_model import EditorModel
    from gateline.lsp.server import Server
    from gateline.protocol.comparisons import (
        AcceptCandidateParams,
        CandidateParams,
        CandidatesParams,
        ComparisonParams,
        StartComparisonParams,
    )
    from gateline.session.compare.comparing import Comparison
    from gateline.session.session import Session
    from gateline.session.tasks.recording.rollback import Rollback
    from gateline.store.candidates.trees import Given


async def candidates(ls: Server, params: CandidatesParams) -> dict[str, Any]:
    """What could be compared."""
    from gateline.protocol.comparisons import CandidatesResult
    from gateline.session.compare.listed import candidates as listed

    with failures():
        found = await session_at(ls, params.uri).recorder.use(listed)
    return wire(CandidatesResult(candidates=found))


async def start(ls: Server, params: StartComparisonParams) -> dict[str, Any]:
    """Compare candidates, with progress. Cancelling ends it."""
    session = session_at(ls, params.uri)
    async with work_done(ls, params.work_done_token, "gateline compare") as tell:
        with failures():
            editor = await _editor(ls, session, params.model_token)
            await session.tests.agreed()
            # What is imported from here on takes longer than whoever types should wait.
            await asyncio.to_thread(import_module, "gateline.session.compare.presented")
            return await _compared(session, params, tell, editor)


async def _editor(ls: Server, session: Session, token: str | None) -> EditorModel | None:
    """What asks the model of the editor, where it gave a token. Raises UsageError where it has none."""
    from gateline.session.errors import UsageError

    if token is None:
        return None
    if not ls.client.modelling:
        raise UsageError(
            "modelToken: this editor did not say that its model can be asked (the capability "
            "experimental.gateline.model); leave it out, or name an endpoint: GATELINE_MODELS__ENDPOINT"
        )
    # Nobody else imports any of it.
    found = await asyncio.to_thread(import_module, "gateline.lsp.handlers.editor_model")
    asking: EditorModel = found.EditorModel(ls, session.root.as_uri(), token)
    return asking


async def _compared(
    session: Session, params: StartComparisonParams, tell: Callable[[str], None], editor: EditorModel | None
) -> dict[str, Any]:
    from gateline.protocol.comparison import ComparisonResult
    from gateline.protocol.comparisons import ComparedResult
    from gateline.ranking.values import Strategy
    from gateline.session.compare.comparing import Asked
    from gateline.session.compare.presented import markdown

    asked = Asked(
        params.candidates,
        params.base or None,
        Strategy(params.strategy),
        task=params.assess,
        recorded=params.task,
        anew=params.anew,
    )
    name, compared = await session.comparisons.compare(asked, session.options.python or "", tell, editor)
    result = ComparisonResult.model_validate(compared.found, from_attributes=True)
    return wire(
        ComparedResult(
            comparison=name,
            folder=session.root.as_uri(),
            result=result,
            markdown=markdown(compared.found),
            trouble=compared.trouble,
        )
    )


async def diff(ls: Server, params: CandidateParams) -> dict[str, Any]:
    """What a candidate changed."""
    from gateline.session.compare.choosing import difference

    session = session_at(ls, params.uri)
    with failures():
        found, given = _candidate(session, params)
        return wire(await session.recorder.use(lambda journal: difference(journal, found, given)))


async def accept(ls: Server, params: AcceptCandidateParams) -> dict[str, Any]:
    """Write what a candidate changed as one edit, and record that a person chose it."""
    from gateline.protocol.comparisons import AcceptCandidateResult
    from gateline.session.compare.recorded import record_choice
    from gateline.session.errors import UsageError

    session = session_at(ls, params.uri)
    with failures(), ExitStack() as alone:
        found, given = _candidate(session, params)
        if not ls.client.applying:
            raise UsageError(
                "this editor does not accept edits from the server; use `gateline compare --choose`"
            )
        await session.recorder.use(lambda journal: begin(journal, alone))
        made = await _accepted(ls, session, params, found, given)
        written = await carried_out(ls, made, f"Accept candidate {given.name}")
        trouble = ""
        if written.applied:
            trouble = await asyncio.to_thread(record_choice, session.root, found, given)
    return wire(AcceptCandidateResult(written=written, trouble=trouble))


async def _accepted(
    ls: Server, session: Session, params: AcceptCandidateParams, found: Comparison, given: Given
) -> Rollback:
    from gateline.session.compare.choosing import accept as accepted

    texts = await session.recorder.texts()
    opened = documents(ls, params.dirty)
    return await session.recorder.use(
        lambda journal: accepted(journal, found, given, texts, opened.seen(journal))
    )


async def reject(ls: Server, params: ComparisonParams) -> dict[str, Any]:
    """Record that a person wants none of the candidates."""
    from gateline.protocol.comparisons import RejectCandidatesResult
    from gateline.session.compare.recorded import record_rejection

    session = session_at(ls, params.uri)
    with failures():
        found = session.comparisons.find(params.comparison)
        trouble = await asyncio.to_thread(record_rejection, session.root, found)
    return wire(RejectCandidatesResult(trouble=trouble))


def _candidate(session: Session, params: CandidateParams) -> tuple[Comparison, Given]:
    from gateline.session.compare.choosing import find

    found = session.comparisons.find(params.comparison)
    return found, find(found, params.candidate)


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {
    comparison_methods.CANDIDATES.name: candidates,
    comparison_methods.START_COMPARISON.name: start,
    comparison_methods.CANDIDATE_DIFF.name: diff,
    comparison_methods.ACCEPT_CANDIDATE.name: accept,
    comparison_methods.REJECT_CANDIDATES.name: reject,
}
