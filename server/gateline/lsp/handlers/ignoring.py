"""Code actions that ignore a finding by a comment, where that has an effect."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.gates.ignoring import comment_edit
from gateline.gates.suppress import may_be_ignored
from gateline.lsp.convert import to_client
from gateline.model.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateline.lsp.folders import Address
    from gateline.lsp.server import Server
    from gateline.model import Document, Finding, Span

_sources = lru_cache(4)(Source)


async def ignore_actions(
    ls: Server, address: Address, document: Document, findings: Sequence[Finding]
) -> list[lsp.CodeAction]:
    """One for each of the findings that a comment would silence; its reason is left to be filled in.

    None to a client that asks for the reason itself.
    """
    may = [finding for finding in findings if may_be_ignored(finding)]
    if not may or address.folder.options.asks_for_reasons:
        return []
    source = _sources(document)
    # All of the text is looked at, so not on the loop.
    edits = await asyncio.to_thread(lambda: [comment_edit(source, finding) for finding in may])
    told = zip(may, edits, strict=True)
    return [_action(ls, address, document, finding, edit) for finding, edit in told if edit is not None]


def _action(
    ls: Server, address: Address, document: Document, finding: Finding, edit: tuple[Span, str]
) -> lsp.CodeAction:
    span, text = edit
    place = to_client(span, document.lines, ls.encoding)
    uri = address.folder.uri_of(document.path)
    changed = lsp.TextDocumentEdit(
        lsp.OptionalVersionedTextDocumentIdentifier(uri, document.version), [lsp.TextEdit(place, text)]
    )
    return lsp.CodeAction(
        title=f"Ignore {finding.code} here, with a reason",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=ls.drawing(address.folder).diagnostics([finding], address.folder.level),
        edit=lsp.WorkspaceEdit(document_changes=[changed]),
    )
