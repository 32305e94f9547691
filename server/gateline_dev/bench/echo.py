"""A server that analyses nothing: no server made with the same library can be quicker."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

server = LanguageServer("echo", "1", text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)


def publish_nothing(uri: str, version: int | None) -> None:
    """Say that the document is fine."""
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, [], version))


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
    """Answer at once."""
    publish_nothing(params.text_document.uri, params.text_document.version)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
    """Answer at once."""
    publish_nothing(params.text_document.uri, params.text_document.version)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
    """Answer at once."""
    publish_nothing(params.text_document.uri, None)


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> None:
    """Know nothing."""


if __name__ == "__main__":
    server.start_io()
