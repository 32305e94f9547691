"""What the client is asked to tell of: files that change on disk, where git keeps refs, and settings."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from gateline.lsp.addresses import path_in

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server

log = logging.getLogger(__name__)

_IN_GIT = ("{HEAD,index,packed-refs}", "refs/**")
SETTINGS = ("pyproject.toml", "gateline.toml", "mypy.ini", ".mypy.ini", "setup.cfg")
WATCHED = (
    "**/*.{py,pyi}",
    f"**/{{{','.join(SETTINGS)}}}",
    "{tasks.md,TASKS.md}",
    *(f"**/.git/{pattern}" for pattern in _IN_GIT),
)


def is_watched(path: str) -> bool:
    """Whether the client tells when a file below a folder is written, whoever writes it."""
    name = PurePosixPath(path).name
    return name.endswith((".py", ".pyi")) or name in SETTINGS or path.startswith(".git/")


async def watch(ls: Server) -> None:
    """Ask for files inside the workspace, for settings, and for repositories that begin above a folder."""
    watchers = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
    wanted = []
    if ls.client.watching:
        files = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(lsp.Registration("gateline.files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, files))
    if ls.client.configuring:
        section = lsp.DidChangeConfigurationRegistrationOptions(section="gateline")
        wanted.append(lsp.Registration("gateline.settings", lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if ls.client.saving:
        # Data that tests read is part of a change, too; to watch every file would be heavy.
        saves = lsp.TextDocumentSaveRegistrationOptions([lsp.TextDocumentFilterScheme(scheme="file")])
        wanted.append(lsp.Registration("gateline.saves", lsp.TEXT_DOCUMENT_DID_SAVE, saves))
    await _register(ls, wanted)
    for folder in ls.folders:
        await watch_git(ls, folder)


async def watch_git(ls: Server, folder: Folder) -> None:
    """Ask for the refs of a folder whose repository begins above it, or keeps them elsewhere.

    A client that cannot watch outside its folders tells of nothing there; then the base is looked at
    again with each save.
    """
    from gateline.session.workspace.roots import git_folders

    folder.git = git_folders(folder.root)
    outside = [git for git in folder.git if path_in(folder.root, git) is None]
    if not (outside and ls.client.watching_anywhere):
        return
    patterns = [lsp.RelativePattern(git.as_uri(), pattern) for git in outside for pattern in _IN_GIT]
    options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(p) for p in patterns])
    method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
    folder.watched = f"gateline.git {folder.uri}"
    await _register(ls, [lsp.Registration(folder.watched, method, options)])


async def unwatch_git(ls: Server, folder: Folder) -> None:
    """Take the question for a folder's refs back."""
    if folder.watched:
        gone = lsp.Unregistration(folder.watched, lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        await _asked(ls.client_unregister_capability_async(lsp.UnregistrationParams([gone])))


def path_in_git(folder: Folder, file: Path) -> str | None:
    """A file of the folder's repository as its session knows it, below `.git`; None for any other file."""
    inside = next((path for git in folder.git if (path := path_in(git, file)) is not None), None)
    return None if inside is None else f".git/{inside}"


async def _register(ls: Server, wanted: list[lsp.Registration]) -> None:
    if wanted:
        await _asked(ls.client_register_capability_async(lsp.RegistrationParams(wanted)))


async def _asked(answer: Awaitable[object]) -> None:
    try:
        await answer
    except JsonRpcException as error:
        log.warning("the client does not watch files: %s", error)
