"""Repairs as the client applies them: for one version of each text, with what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.lsp.convert import to_client

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gateline.lsp.folders import Address
    from gateline.lsp.server import Server
    from gateline.model import Edit
    from gateline.session.repairs.offer import Offer

    _TextEdit = lsp.AnnotatedTextEdit | lsp.TextEdit


def workspace_edit(ls: Server, address: Address, offer: Offer) -> lsp.WorkspaceEdit:
    """Versioned, so that a client refuses it for a text that it has edited meanwhile."""
    paths = dict.fromkeys(edit.path for edit in offer.edits)
    changes = [_document_edit(ls, address, path, offer.edits) for path in paths]
    edit = lsp.WorkspaceEdit(document_changes=changes)
    if ls.client.annotating:
        # What changes a file that nobody looks at is shown before it is done.
        note = lsp.ChangeAnnotation(offer.title, set(paths) != {address.path}, offer.reason or None)
        edit.change_annotations = {_NOTE: note}
    return edit


_NOTE = "repair"


def _document_edit(ls: Server, address: Address, path: str, edits: Sequence[Edit]) -> lsp.TextDocumentEdit:
    uri = address.folder.uri_of(path)
    buffer = ls.buffer(uri)
    version = buffer.version if buffer else None
    lines = buffer.lines if buffer else ls.closed.lines(address.folder.root / path)
    return lsp.TextDocumentEdit(
        lsp.OptionalVersionedTextDocumentIdentifier(uri, version), list(_text_edits(ls, path, edits, lines))
    )


def _text_edits(ls: Server, path: str, edits: Sequence[Edit], lines: Sequence[str]) -> Iterator[_TextEdit]:
    for edit in edits:
        if edit.path == path:
            place = to_client(edit.span, lines, ls.encoding)
            is_told = ls.client.annotating
            yield (
                lsp.AnnotatedTextEdit(_NOTE, place, edit.text) if is_told else lsp.TextEdit(place, edit.text)
            )
