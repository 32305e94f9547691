"""Open, change, save, close. Plain functions: each hands its text over before the next message is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.lsp import foreseeing, life
from gateline.lsp.watching import is_watched

if TYPE_CHECKING:
    from gateline.lsp.server import Server


def register(server: Server) -> None:
    """Hand the handlers to pygls."""
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """Before the server is ready pygls keeps the text; it is handed over later."""
    buffer = ls.buffer(params.text_document.uri)
    if buffer is None:
        return
    if ls.ready.is_set():
        life.give_back(ls, buffer.uri)
        life.take_over(ls, buffer)
    elif life.is_python(buffer):
        ls.spawn(foreseeing.document(ls))


def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Pass the edits on, in code points."""
    buffer = ls.buffer(params.text_document.uri)
    if buffer is None:
        return
    edits = buffer.take_edits()
    address = ls.folders.owner(buffer.uri)
    if address is not None and address.folder.session is not None:
        address.folder.session.change(address.path, edits, params.text_document.version)


def did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    """The text on disk is the text in the buffer now; told later while the server is not ready."""
    if ls.ready.is_set():
        _saved(ls, params.text_document.uri)
    else:
        ls.spawn(_saved_early(ls, params.text_document.uri))


async def _saved_early(ls: Server, uri: str) -> None:
    await ls.ready.wait()
    _saved(ls, uri)


def _saved(ls: Server, uri: str) -> None:
    address = ls.folders.owner(uri) or ls.folders.address(uri)
    if address is None or address.folder.session is None or _is_told_otherwise(ls, uri, address.path):
        return
    address.folder.session.save(address.path)


def _is_told_otherwise(ls: Server, uri: str, path: str) -> bool:
    """Whether a file that is not open here is one that the client watches: it says so once more."""
    return ls.folders.owner(uri) is None and ls.client.watching and is_watched(path)


def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """What is still being analysed of it is dropped."""
    life.give_back(ls, params.text_document.uri)
    if ls.folders.idle():
        ls.spawn(life.end_idle(ls))
