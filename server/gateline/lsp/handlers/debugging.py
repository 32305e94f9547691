"""The command that looks for why a test fails, and repairs it when it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from gateline.lsp.edits import workspace_edit
from gateline.repairs.reported import problem_of
from gateline.testing.failing import FAILING

if TYPE_CHECKING:
    from gateline.lsp.folders import Address
    from gateline.lsp.server import Server
    from gateline.model import Finding
    from gateline.session.session import Session

DEBUG_TEST = "gateline.debugTest"
_NO_TEST = "No failing test is known here. Run the tests first."
_NO_REPAIR = "No repair for this failure could be verified. See gateline's output for the attempts."


def register(server: Server) -> None:
    """Hand the command to pygls."""
    server.command(DEBUG_TEST)(debug_test)


async def debug_test(ls: Server, _token: object = None, where: object = None, *_: object) -> dict[str, Any]:
    """Repair why a test fails: `where` is `{"uri": …, "line": …}`, the line being zero-based.

    Without a line, or where none fails on it, the first failing test of the document is meant; without a
    document, that of any open one. The answer says whether an edit was applied, and its title.
    """
    await ls.ready.wait()
    given = where if isinstance(where, dict) else {}
    uri, line = given.get("uri"), given.get("line")
    uris = [uri] if isinstance(uri, str) else [buffer.uri for buffer in ls.buffers()]
    for address in filter(None, map(ls.folders.owner, uris)):
        session = address.folder.session
        finding = _failing(session, address, line if isinstance(line, int) else -1) if session else None
        if session is not None and finding is not None:
            return await _repaired(ls, session, address, finding)
    return _said(ls, _NO_TEST)


def _failing(session: Session, address: Address, line: int) -> Finding | None:
    found = [f for f in session.findings(address.path) if f.code == FAILING]
    return next((f for f in found if f.span.start.line <= line <= f.span.end.line), next(iter(found), None))


async def _repaired(ls: Server, session: Session, address: Address, finding: Finding) -> dict[str, Any]:
    key = session.offers.key(finding) or ""
    offer = next(iter(await session.offers.look(finding, key)), None)
    if offer is None or not await session.offers.is_current(offer):
        await _tell(ls, session, finding)
        return _said(ls, _NO_REPAIR)
    session.offers.shown(offer)
    if not (ls.client.repairing and ls.client.applying):
        return _said(ls, f"{offer.title} would repair it; this editor does not accept edits from the server.")
    params = lsp.ApplyWorkspaceEditParams(workspace_edit(ls, address, offer), offer.label)
    answer = await ls.workspace_apply_edit_async(params)
    return {"applied": bool(answer.applied), "title": offer.label}


async def _tell(ls: Server, session: Session, finding: Finding) -> None:
    """What was tried goes to the output: it is longer than a message may be."""
    from gateline.repairs.escalation import document
    from gateline.session.repairs.repairing import OutdatedError

    try:
        result = await session.offers.debugged(finding)
    except OutdatedError:
        return
    told = document(result) if result else f"{problem_of(finding).message}: the test did not run yet"
    ls.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, told))


def _said(ls: Server, message: str) -> dict[str, Any]:
    ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, message))
    return {"applied": False, "title": message}
