"""From `initialize` to `initialized`. `shutdown` is pygls' own; sessions end when the message loop does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from gateline.lsp import foreseeing, life
from gateline.lsp.addresses import file_of
from gateline.lsp.client import read_client
from gateline.lsp.incomplete import incomplete
from gateline.lsp.options import read_options
from gateline.lsp.publish import Publisher
from gateline.lsp.watching import watch

if TYPE_CHECKING:
    from gateline.lsp.server import Server, Sessions


def register(server: Server) -> None:
    """Hand the handlers to pygls."""
    server.feature(lsp.INITIALIZE)(initialize)
    server.feature(lsp.INITIALIZED)(initialized)


def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    """Read what the client is and wants; nothing else, so that the answer is quick."""
    options, complaints = read_options(params.initialization_options, ls.folders.options)
    ls.given = ls.folders.options = options
    ls.client = read_client(params.capabilities, options)
    if ls.client.pull:
        ls.publisher = Publisher(ls.refresh, pulls=True)
    for root in _roots(params):
        ls.folders.add(root)
    for complaint in complaints:
        ls.tell_log(complaint)
    if params.process_id is not None:
        ls.watch(params.process_id)
    # After the answer: a client may take as long to say `initialized` as a session takes to be imported.
    asyncio.get_running_loop().call_soon(ls.load)


async def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    """Ask for the settings while sessions are imported; then take over what was opened meanwhile."""
    ls.heard.set()
    ls.sessions, _ = await asyncio.gather(_loaded(ls), _configured(ls))
    for folder in ls.folders:
        life.begin(ls, folder)
    ls.ready.set()
    for buffer in ls.buffers():
        life.take_over(ls, buffer)
    await watch(ls)


async def _configured(ls: Server) -> None:
    """Only now is known which interpreters there are, and whether they may run."""
    await life.configure(ls)
    foreseeing.engine(ls)
    ls.configured.set()


async def _loaded(ls: Server) -> Sessions | None:
    """Where sessions come from; None when gateline is not installed as it should be."""
    try:
        return await ls.load()
    except ImportError as error:
        # The one message that pops up: without this nothing will ever be shown.
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, incomplete(error)))
        return None


def _roots(params: lsp.InitializeParams) -> list[Path]:
    """The workspace folders; for a client that does not know them, its root."""
    root = params.root_uri or (from_fs_path(params.root_path) if params.root_path else None)
    uris = [f.uri for f in params.workspace_folders or ()] or ([root] if root else [])
    return [file for uri in uris if (file := file_of(uri)) is not None]
