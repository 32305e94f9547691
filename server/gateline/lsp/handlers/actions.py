"""Code actions: verified repairs of the findings at a place."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from gateline.lsp.convert import locate_both
from gateline.lsp.edits import workspace_edit
from gateline.lsp.handlers.ignoring import ignore_actions
from gateline.lsp.handlers.restoring import rollback_action
from gateline.testing.failing import FAILING

if TYPE_CHECKING:
    from gateline.lsp.buffer import Buffer
    from gateline.lsp.folders import Address
    from gateline.lsp.server import Server
    from gateline.model import Finding, Span
    from gateline.session.repairs.offer import Offer
    from gateline.session.session import Session

FIX_ALL = "source.fixAll.gateline"
PATIENCE = 0.7
"""Seconds in which a repair is offered by its name; one that takes longer is offered to be looked for."""
_QUICK = "quickfix"
_MOST = 3
"""Findings at one place for which repairs are looked for."""


def register(server: Server) -> None:
    """Hand the handlers to pygls."""
    options = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=True)
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    server.feature(lsp.CODE_ACTION_RESOLVE)(resolve)


@dataclass(frozen=True, slots=True)
class _Target:
    """A finding of an open document that families of repairs know."""

    address: Address
    session: Session
    buffer: Buffer
    finding: Finding
    key: str


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The repairs of what is found at a place.

    What is verified by the time goes by its name; what is not yet is offered to be looked for, to clients
    that ask again when it was chosen. Others wait for it.
    """
    if any(_covers(str(kind), FIX_ALL) for kind in params.context.only or ()):
        return await _all(ls, params)
    targets = await _prepared(ls, params)
    searches = {target.key: target.session.offers.look(target.finding) for target in targets}
    if searches:
        await asyncio.wait(searches.values(), timeout=PATIENCE if ls.client.resolving else None)
    repairs = [action for target in targets for action in await _actions(ls, target, searches[target.key])]
    return [*_rollbacks(ls, params), *repairs, *await _ignores(ls, params)]


async def _ignores(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Comments that ignore what is found at the place: after all that mends it."""
    place = _place(ls, params.text_document.uri) if _wants(params, _QUICK) else None
    if place is None:
        return []
    _, address, session = place
    document = session.document(address.path)
    return await ignore_actions(ls, address, document, _found(place, params)) if document else []


def _rollbacks(ls: Server, params: lsp.CodeActionParams) -> Iterator[lsp.CodeAction]:
    """The way back, at what says that the change went from better to worse."""
    place = _place(ls, params.text_document.uri) if _wants(params, _QUICK) else None
    if place is None:
        return
    _, address, _ = place
    for finding in _found(place, params):
        diagnostics = ls.drawing(address.folder).diagnostics([finding], address.folder.level)
        if (action := rollback_action(ls, address, finding, diagnostics)) is not None:
            yield action


async def _prepared(ls: Server, params: lsp.CodeActionParams) -> list[_Target]:
    """What is found at the place; of what no family knows nothing, as soon as it is known what they know."""
    targets = _targets(ls, params)
    if not targets:
        return []
    await asyncio.wait([targets[0].session.offers.prepare()], timeout=PATIENCE)
    return _targets(ls, params)[:_MOST]


async def _actions(
    ls: Server, target: _Target, search: asyncio.Task[tuple[Offer, ...]]
) -> list[lsp.CodeAction]:
    if not search.done():
        return [_unresolved(ls, target)]
    # An edit that is sent at once must be for the text as it is now.
    offers = enumerate(search.result())
    is_current = target.session.offers.is_current
    return [_action(ls, target, n, offer) for n, offer in offers if await is_current(offer)]


async def resolve(ls: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """The edit of an action that was chosen, if its text is still the one that it is for.

    Raises JsonRpcContentModified when it is not.
    """
    target, number = _chosen(ls, action.data)
    # A client that stops waiting must not end a search that others may wait for.
    offers = await asyncio.shield(target.session.offers.look(target.finding))
    if number >= len(offers):
        if target.session.offers.key(target.finding) != target.key:
            raise JsonRpcContentModified("the text was edited while a repair was looked for")
        raise JsonRpcException("no repair of this could be verified", lsp.LSPErrorCodes.RequestFailed)
    offer = offers[number]
    if not await target.session.offers.is_current(offer):
        raise JsonRpcContentModified("the text was edited since the repair was verified")
    resolved = _action(ls, target, number, offer)
    resolved.edit = workspace_edit(ls, target.address, offer)
    return resolved


def _place(ls: Server, uri: str) -> tuple[Buffer, Address, Session] | None:
    """The document and whose it is; None when nothing can be repaired there."""
    buffer, address = ls.buffer(uri), ls.folders.owner(uri)
    if not ls.client.repairing or buffer is None or address is None:
        return None
    session = address.folder.session
    return None if session is None else (buffer, address, session)


async def _all(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """One action that repairs what has only one repair."""
    place = _place(ls, params.text_document.uri)
    if place is None:
        return []
    _, address, session = place
    await asyncio.wait([session.offers.prepare()], timeout=PATIENCE)
    offer = await session.offers.all_at_once(address.path, session.findings(address.path))
    if offer is None or not await session.offers.is_current(offer):
        return []
    session.offers.shown(offer)
    return [lsp.CodeAction(title=offer.label, kind=FIX_ALL, edit=workspace_edit(ls, address, offer))]


def _targets(ls: Server, params: lsp.CodeActionParams) -> list[_Target]:
    place = _place(ls, params.text_document.uri) if _wants(params, _QUICK) else None
    if place is None:
        return []
    buffer, address, session = place
    known = ((finding, session.offers.key(finding)) for finding in _found(place, params))
    return [_Target(address, session, buffer, finding, key) for finding, key in known if key]


def _wants(params: lsp.CodeActionParams, kind: str) -> bool:
    wanted = params.context.only
    return not wanted or any(_covers(str(each), kind) or not str(each) for each in wanted)


def _found(place: tuple[Buffer, Address, Session], params: lsp.CodeActionParams) -> list[Finding]:
    """The findings at the place that is asked about."""
    buffer, address, session = place
    (start, _), (end, _) = locate_both(buffer.text, params.range, buffer.encoding)
    return [f for f in session.findings(address.path) if _meets(f.span, start.line, end.line)]


def _covers(wanted: str, kind: str) -> bool:
    """Whether who wants a kind wants what is below it, too. All kinds at once are for the lamp."""
    return bool(wanted) and f"{kind}.".startswith(f"{wanted}.")


def _meets(span: Span, first: int, last: int) -> bool:
    """By lines: the lamp of an editor belongs to a line, and a cursor is rarely on the very word."""
    return span.start.line <= last and first <= span.end.line


def _action(ls: Server, target: _Target, number: int, offer: Offer) -> lsp.CodeAction:
    target.session.offers.shown(offer)
    action = lsp.CodeAction(
        title=offer.label,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=_diagnostics(ls, target),
        is_preferred=offer.preferred,
        data=_data(target, number),
    )
    if not ls.client.resolving:
        action.edit = workspace_edit(ls, target.address, offer)
    return action


def _unresolved(ls: Server, target: _Target) -> lsp.CodeAction:
    is_test = target.finding.code == FAILING
    return lsp.CodeAction(
        title="Debug this failing test" if is_test else f"Look for a repair: {target.finding.message}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=_diagnostics(ls, target),
        data=_data(target, 0),
    )


def _diagnostics(ls: Server, target: _Target) -> list[lsp.Diagnostic]:
    folder = target.address.folder
    return ls.drawing(folder).diagnostics([target.finding], folder.level)


def _data(target: _Target, number: int) -> dict[str, Any]:
    return {"uri": target.buffer.uri, "key": target.key, "number": number}


def _chosen(ls: Server, data: object) -> tuple[_Target, int]:
    """What an action is for. Raises JsonRpcInvalidParams, and JsonRpcContentModified when it is gone."""
    match data:
        case {"uri": str(uri), "key": str(key), "number": int(number)}:
            pass
        case _:
            raise JsonRpcInvalidParams(f"data: must be as it was sent, not {data!r}")
    buffer, address = ls.buffer(uri), ls.folders.owner(uri)
    if buffer is None or address is None or (session := address.folder.session) is None:
        raise JsonRpcContentModified(f"{uri} is not open any more")
    for finding in session.findings(address.path):
        if session.offers.key(finding) == key:
            return _Target(address, session, buffer, finding, key), number
    raise JsonRpcContentModified("the text was edited since the repair was offered")
