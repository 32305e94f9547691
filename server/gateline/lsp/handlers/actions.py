"""Code actions: verified repairs of the findings at a place."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from gateline.lsp.convert import locate_both
from gateline.lsp.drawn import SOURCE
from gateline.lsp.edits import workspace_edit
from gateline.lsp.handlers.ignoring import ignore_actions
from gateline.lsp.handlers.restoring import rollback_action
from gateline.testing.failing import FAILING

if TYPE_CHECKING:
    from gateline.lsp.folders import Address
    from gateline.lsp.server import Server
    from gateline.model import Document, Finding, Span
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
class _Place:
    """The lines that a client asks about, in an open document, with what is found on them."""

    uri: str
    address: Address
    session: Session
    document: Document
    findings: Sequence[Finding]
    shown: Mapping[str, lsp.Diagnostic]
    """The diagnostics of the request by the identity of their findings: what the client shows there."""


@dataclass(frozen=True, slots=True)
class _Target:
    """A finding that families of repairs know, its key, and the client's diagnostics of it."""

    uri: str
    address: Address
    session: Session
    finding: Finding
    key: str
    diagnostics: Sequence[lsp.Diagnostic]


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The repairs of what is found at a place.

    What is verified by the time goes by its name; what is not yet is offered to be looked for, to clients
    that ask again when it was chosen. Others wait for it.
    """
    if any(_covers(str(kind), FIX_ALL) for kind in params.context.only or ()):
        return await _all(ls, params)
    place = await _prepared(ls, params) if _wants(params, _QUICK) else None
    if place is None:
        return []
    repairs = await _repairs(ls, place)
    # Comments that ignore a finding come after all that mends it.
    ignores = await ignore_actions(ls, place.address, place.document, place.findings)
    return [*_rollbacks(ls, place), *repairs, *ignores]


def _rollbacks(ls: Server, place: _Place) -> Iterator[lsp.CodeAction]:
    """The way back, at what says that the change went from better to worse."""
    for finding in place.findings:
        action = rollback_action(ls, place.address, finding, _diagnostics(ls, place, finding))
        if action is not None:
            yield action


async def _prepared(ls: Server, params: lsp.CodeActionParams) -> _Place | None:
    """The place, as soon as it is known which findings families of repairs know."""
    place = _place(ls, params)
    if place is None or not place.session.offers.needs_preparing(place.findings):
        return place
    await asyncio.wait([place.session.offers.prepare()], timeout=PATIENCE)
    return _place(ls, params)  # It may have been edited or closed meanwhile.


async def _repairs(ls: Server, place: _Place) -> list[lsp.CodeAction]:
    offers = place.session.offers
    keyed = ((finding, key) for finding in place.findings if (key := offers.key(finding)))
    targets = [
        _Target(place.uri, place.address, place.session, finding, key, _diagnostics(ls, place, finding))
        for finding, key in islice(keyed, _MOST)
    ]
    searches = [offers.look(target.finding, target.key) for target in targets]
    if searches:
        await asyncio.wait(searches, timeout=PATIENCE if ls.client.resolving else None)
    found = zip(targets, searches, strict=True)
    return [action for target, search in found for action in await _actions(ls, target, search)]


async def _actions(
    ls: Server, target: _Target, search: asyncio.Task[tuple[Offer, ...]]
) -> list[lsp.CodeAction]:
    if not search.done():
        return [_unresolved(target)]
    # An edit that is sent at once must be for the text as it is now.
    offers = enumerate(search.result())
    is_current = target.session.offers.is_current
    return [_action(ls, target, n, offer) for n, offer in offers if await is_current(offer)]


async def resolve(ls: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """The edit of an action that was chosen, if its text is still the one that it is for.

    Raises JsonRpcContentModified when it is not.
    """
    target, number = _chosen(ls, action)
    # A client that stops waiting must not end a search that others may wait for.
    offers = await asyncio.shield(target.session.offers.look(target.finding, target.key))
    if number >= len(offers):
        if target.session.offers.key(target.finding) != target.key:
            raise JsonRpcContentModified("the text was edited during the search for a repair")
        raise JsonRpcException(
            "no repair for this finding could be verified", lsp.LSPErrorCodes.RequestFailed
        )
    offer = offers[number]
    if not await target.session.offers.is_current(offer):
        raise JsonRpcContentModified("the text was edited since the repair was verified")
    resolved = _action(ls, target, number, offer)
    resolved.edit = workspace_edit(ls, target.address, offer)
    return resolved


async def _all(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """One action that repairs what has only one repair."""
    place = _place(ls, params)
    if place is None:
        return []
    address, session = place.address, place.session
    await asyncio.wait([session.offers.prepare()], timeout=PATIENCE)
    offer = await session.offers.all_at_once(address.path, session.findings(address.path))
    if offer is None or not await session.offers.is_current(offer):
        return []
    session.offers.shown(offer)
    return [lsp.CodeAction(title=offer.label, kind=FIX_ALL, edit=workspace_edit(ls, address, offer))]


def _place(ls: Server, params: lsp.CodeActionParams) -> _Place | None:
    """What is asked about; None where nothing can be repaired."""
    uri = params.text_document.uri
    buffer, address = ls.buffer(uri), ls.folders.owner(uri)
    if not ls.client.repairing or buffer is None or address is None:
        return None
    session = address.folder.session
    document = session.document(address.path) if session else None
    if session is None or document is None:
        return None
    (start, _), (end, _) = locate_both(buffer.text, params.range, buffer.encoding)
    found = [f for f in session.findings(address.path) if _meets(f.span, start.line, end.line)]
    return _Place(uri, address, session, document, found, _shown(params.context.diagnostics))


def _wants(params: lsp.CodeActionParams, kind: str) -> bool:
    wanted = params.context.only
    return not wanted or any(_covers(str(each), kind) or not str(each) for each in wanted)


def _covers(wanted: str, kind: str) -> bool:
    """Whether who wants a kind wants what is below it, too. All kinds at once are for the lamp."""
    return bool(wanted) and f"{kind}.".startswith(f"{wanted}.")


def _meets(span: Span, first: int, last: int) -> bool:
    """By lines: the lamp of an editor belongs to a line, and a cursor is rarely on the very word."""
    return span.start.line <= last and first <= span.end.line


def _shown(diagnostics: Sequence[lsp.Diagnostic]) -> dict[str, lsp.Diagnostic]:
    """Those that are gateline's, by identity."""
    known = ((each.data, each) for each in diagnostics if each.source == SOURCE)
    return {identity: each for data, each in known if (identity := _identity(data))}


def _identity(data: object) -> str:
    """That of the finding behind a diagnostic; empty where the client gave no data back."""
    identity = data.get("identity") if isinstance(data, dict) else None
    return identity if isinstance(identity, str) else ""


def _diagnostics(ls: Server, place: _Place, finding: Finding) -> list[lsp.Diagnostic]:
    """What a finding is for the client: as it sent it, else drawn."""
    if (known := place.shown.get(finding.identity)) is not None:
        return [known]
    folder = place.address.folder
    return ls.drawing(folder).diagnostics([finding], folder.level)


def _action(ls: Server, target: _Target, number: int, offer: Offer) -> lsp.CodeAction:
    target.session.offers.shown(offer)
    action = lsp.CodeAction(
        title=offer.label,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=list(target.diagnostics),
        is_preferred=offer.preferred,
        data=_data(target, number),
    )
    if not ls.client.resolving:
        action.edit = workspace_edit(ls, target.address, offer)
    return action


def _unresolved(target: _Target) -> lsp.CodeAction:
    is_test = target.finding.code == FAILING
    return lsp.CodeAction(
        title="Debug this failing test" if is_test else f"Search for a repair: {target.finding.message}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=list(target.diagnostics),
        data=_data(target, 0),
    )


def _data(target: _Target, number: int) -> dict[str, Any]:
    told = {"uri": target.uri, "identity": target.finding.identity}
    return {**told, "key": target.key, "number": number}


def _chosen(ls: Server, action: lsp.CodeAction) -> tuple[_Target, int]:
    """What an action is for. Raises JsonRpcInvalidParams, and JsonRpcContentModified when it is gone."""
    match action.data:
        case {"uri": str(uri), "identity": str(identity), "key": str(key), "number": int(number)}:
            pass
        case _:
            raise JsonRpcInvalidParams(f"data: must be the data that the server sent, not {action.data!r}")
    buffer, address = ls.buffer(uri), ls.folders.owner(uri)
    if buffer is None or address is None or (session := address.folder.session) is None:
        raise JsonRpcContentModified(f"{uri} is no longer open")
    findings = session.findings(address.path)
    # A verdict may have given it another identity since: then any with this key is the one.
    for finding in [f for f in findings if f.identity == identity] or findings:
        if session.offers.key(finding) == key:
            return _Target(uri, address, session, finding, key, action.diagnostics or ()), number
    raise JsonRpcContentModified("the text was edited since the repair was offered")
