"""Folders, settings, and files that other programs write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.lsp import life
from gateline.lsp.addresses import file_of
from gateline.lsp.options import read_options
from gateline.lsp.watching import path_in_git, unwatch_git, watch_git

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server


def register(server: Server) -> None:
    """Hand the handlers to pygls."""
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_workspace_folders)


def did_change_watched_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Tell each session of its own files, once."""
    changed: dict[Folder, list[str]] = defaultdict(list)
    for change in params.changes:
        for folder, path in _concerned(ls, change.uri):
            changed[folder].append(path)
    # Who writes a file anew by way of another one deletes it first: the last event tells.
    last = {change.uri: change.type for change in params.changes}
    for uri, kind in last.items():
        if kind == lsp.FileChangeType.Deleted and ls.buffer(uri) is None:
            _gone(ls, uri)
    for folder, paths in changed.items():
        if folder.session is not None:
            folder.session.files_changed(paths)


def _gone(ls: Server, uri: str) -> None:
    address = ls.folders.address(uri)
    if address is not None and address.folder.session is not None:
        address.folder.session.forget(address.path)
    ls.clear(uri)


async def did_change_configuration(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    """Folders whose options changed get a new session.

    Editors send this at the start too. The project's own settings are files, and reach a session that
    way, unless the client watches none.
    """
    await ls.ready.wait()
    changed = await life.configure(ls) if ls.client.configuration else _told(ls, params.settings)
    for folder in ls.folders:
        if folder in changed:
            await life.restart(ls, folder)
        elif folder.session is not None and not ls.client.watching:
            folder.session.reload_settings()


async def did_change_workspace_folders(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Each new folder gets a session of its own; documents go to the folder that is nearest now."""
    await ls.ready.wait()
    async with ls.rearranging:
        await _rearrange(ls, params)


async def _rearrange(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    roots = [[file_of(f.uri) for f in some] for some in (params.event.removed, params.event.added)]
    gone = [ls.folders.remove(root) for root in roots[0] if root]
    added = [ls.folders.add(root) for root in roots[1] if root]
    if added:
        await life.configure(ls)
    for folder in added:
        await watch_git(ls, folder)
        if folder.session is None:
            life.begin(ls, folder)
    await life.reassign(ls)
    for left in filter(None, gone):
        await life.end(left)
        life.take_back(ls, left)
        await unwatch_git(ls, left)
    await ls.doors.follow()


def _concerned(ls: Server, uri: str) -> Iterator[tuple[Folder, str]]:
    """The folders that a file matters to: its own, and of a repository's file all that lie in it."""
    address = ls.folders.address(uri)
    if address is not None:
        yield address.folder, address.path
    file = file_of(uri)
    for folder in ls.folders if file else ():
        path = path_in_git(folder, file) if file else None
        if path is not None and (address is None or address.folder is not folder):
            yield folder, path


def _told(ls: Server, settings: object) -> tuple[Folder, ...]:
    """Settings of a client that sends them along: they hold for every folder."""
    options, complaints = read_options(settings, ls.given)
    for complaint in complaints:
        ls.tell_log(complaint)
    ls.folders.options = options
    changed = tuple(folder for folder in ls.folders if folder.options != options)
    for folder in changed:
        folder.options = options
    return changed
