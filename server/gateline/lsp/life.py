"""How sessions begin, restart and end, and how documents come to them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from gateline.lsp.addresses import file_of, path_in
from gateline.lsp.options import ClientOptions, read_options

if TYPE_CHECKING:
    from gateline.lsp.buffer import Buffer
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server

log = logging.getLogger(__name__)

_PATIENCE = 3.0
"""Seconds a client has to answer for its settings before the defaults hold."""
_SUFFIXES = (".py", ".pyi")


def begin(server: Server, folder: Folder) -> None:
    """Start a folder's session, and give it what is open there."""
    if server.sessions is None:
        return
    folder.session = server.sessions.open(server, folder)
    server.spawn(folder.session.start())
    for path, uri in list(folder.uris.items()):
        if (buffer := server.buffer(uri)) is not None:
            _open(folder, path, buffer)


async def restart(server: Server, folder: Folder) -> None:
    """A new session in the old one's place, with the same documents."""
    async with folder.restarting:
        await end(folder)
        take_back(server, folder)
        if not server.stopping.is_set():
            begin(server, folder)


async def end(folder: Folder) -> None:
    """Stop a folder's session; meanwhile it has none."""
    session, folder.session = folder.session, None
    if session is not None:
        await session.stop()


def take_back(server: Server, folder: Folder) -> None:
    """Clear what an ended session showed of files that are not open, unless another folder has them."""
    for uri in list(server.publisher.shown):
        file = file_of(uri)
        inside = file is not None and path_in(folder.root, file) is not None
        address = server.folders.address(uri)
        if inside and server.folders.owner(uri) is None and (address is None or address.folder is folder):
            server.clear(uri)


async def at_rest(server: Server) -> None:
    """Until the server is ready, and no folder comes, goes or restarts."""
    await server.ready.wait()
    for moving in (server.rearranging, *(folder.restarting for folder in server.folders)):
        async with moving:
            pass


def take_over(server: Server, buffer: Buffer) -> None:
    """Give an open document to its folder's session; other languages and schemes are nobody's."""
    if not is_python(buffer):
        return
    address = server.folders.take(buffer.uri)
    if address is None:
        return
    if address.folder.session is not None:
        _open(address.folder, address.path, buffer)
    elif not address.folder.restarting.locked():
        begin(server, address.folder)


def give_back(server: Server, uri: str) -> None:
    """A document is closed, or changes hands."""
    address = server.folders.release(uri)
    if address is None:
        return
    if address.folder.session is not None:
        address.folder.session.close(address.path)
    server.clear(uri)


async def end_idle(server: Server) -> None:
    """End the sessions made for documents outside the workspace, when the last of them is closed."""
    for folder in server.folders.idle():
        server.folders.remove(folder.root)
        await end(folder)
        take_back(server, folder)


async def reassign(server: Server) -> None:
    """After folders came or went: every open document to the folder that owns it now."""
    uris = {*server.folders.moved(), *(b.uri for b in server.buffers() if not server.folders.owner(b.uri))}
    for uri in uris:
        give_back(server, uri)
    for uri in uris:
        if (buffer := server.buffer(uri)) is not None:
            take_over(server, buffer)
    await end_idle(server)


async def configure(server: Server) -> tuple[Folder, ...]:
    """Ask the client for its settings, for each folder; the folders whose options changed."""
    if not server.client.configuration:
        return ()
    folders = list(server.folders)
    items = [lsp.ConfigurationItem(scope_uri=f.uri, section="gateline") for f in folders]
    items.append(lsp.ConfigurationItem(section="gateline"))
    try:
        asked = server.workspace_configuration_async(lsp.ConfigurationParams(items))
        answers = list(await asyncio.wait_for(asked, _PATIENCE))
    except (JsonRpcException, TimeoutError) as error:
        log.warning("the client gave no settings: %r", error)
        return ()
    return _apply(server, folders, answers)


def _apply(server: Server, folders: list[Folder], answers: list[object]) -> tuple[Folder, ...]:
    answers += [None] * (len(folders) + 1 - len(answers))
    server.folders.options = _read(server, answers[len(folders)], server.given)
    changed = []
    for folder, answer in zip(folders, answers, strict=False):
        options = _read(server, answer, server.folders.options)
        if options != folder.options:
            folder.options = options
            changed.append(folder)
    return tuple(changed)


def _read(server: Server, answer: object, under: ClientOptions) -> ClientOptions:
    options, complaints = read_options(answer, under)
    for complaint in complaints:
        server.tell_log(complaint)
    return options


def is_python(buffer: Buffer) -> bool:
    """Whether a document is Python, by what the client says, else by its name."""
    language = buffer.language_id
    return language == "python" if language else buffer.uri.endswith(_SUFFIXES)


def _open(folder: Folder, path: str, buffer: Buffer) -> None:
    if folder.session is not None:
        buffer.take_edits()
        folder.session.open(path, buffer.text, buffer.version or 0)
