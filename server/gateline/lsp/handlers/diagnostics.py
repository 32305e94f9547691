"""Pull diagnostics. Always answered; offered only to clients that cannot take pushes, or ask for it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from gateline.lsp.folders import Address
    from gateline.lsp.publish import Shown
    from gateline.lsp.server import Server

_MOST = 1_000
"""Documents in one workspace report."""
PATIENCE = 10.0
"""Seconds a pull waits for the slowest analyzer; then it is answered with what is known."""


def register(server: Server) -> None:
    """Hand the handlers to pygls."""
    options = lsp.DiagnosticOptions(
        identifier="gateline", inter_file_dependencies=True, workspace_diagnostics=True
    )
    server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)(document_diagnostic)
    server.feature(lsp.WORKSPACE_DIAGNOSTIC)(workspace_diagnostic)


async def document_diagnostic(
    ls: Server, params: lsp.DocumentDiagnosticParams
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    """What is known of one document.

    A client that can be asked again gets the first findings at once and a refresh for the later
    ones; another waits for all.
    """
    await ls.ready.wait()
    uri = params.text_document.uri
    address = ls.folders.address(uri)
    if address is None or address.folder.session is None:
        return lsp.RelatedFullDocumentDiagnosticReport(items=[])
    await _settled(ls, uri, address)
    shown = _pull(ls, uri, address, params.previous_result_id)
    if shown is None:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id=params.previous_result_id or "")
    return lsp.RelatedFullDocumentDiagnosticReport(items=_items(shown), result_id=shown.result)


async def workspace_diagnostic(
    ls: Server, params: lsp.WorkspaceDiagnosticParams
) -> lsp.WorkspaceDiagnosticReport:
    """What is known of all documents, without waiting; of the first 1,000 when there are more."""
    await ls.ready.wait()
    known = {previous.uri: previous.value for previous in params.previous_result_ids}
    items = [_item(uri, shown, known.get(uri)) for uri, shown in ls.publisher.pull_all().items()]
    gone = [_item(uri, None, None) for uri in known if uri not in ls.publisher.shown]
    return lsp.WorkspaceDiagnosticReport(items=(gone + items)[:_MOST])


async def _settled(ls: Server, uri: str, address: Address) -> None:
    buffer = ls.buffer(uri)
    if buffer is not None and buffer.version is not None and address.folder.session is not None:
        stage = "syntax" if ls.client.pull and ls.client.refresh else "all"
        with contextlib.suppress(TimeoutError):
            settled = address.folder.session.settled(address.path, buffer.version, stage)
            await asyncio.wait_for(settled, PATIENCE)


def _pull(ls: Server, uri: str, address: Address, known: str | None) -> Shown | None:
    folder, buffer = address.folder, ls.buffer(uri)
    findings = folder.session.findings(address.path) if folder.session else ()
    drawn = ls.drawing(folder).all(findings, folder.level)
    return ls.publisher.pull(uri, buffer.version if buffer else None, drawn, known)


def _item(
    uri: str, shown: Shown | None, known: str | None
) -> lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport:
    if shown is None:
        return lsp.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[])
    if known == shown.result:
        return lsp.WorkspaceUnchangedDocumentDiagnosticReport(
            uri=uri, result_id=shown.result, version=shown.version
        )
    return lsp.WorkspaceFullDocumentDiagnosticReport(
        uri=uri, items=_items(shown), version=shown.version, result_id=shown.result
    )


def _items(shown: Shown) -> list[lsp.Diagnostic]:
    return [drawn.diagnostic for drawn in shown.drawn]
