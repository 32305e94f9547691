"""Opens the real sessions. Imported after `initialize` is answered, because it brings everything along."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.lsp.asking import may_tests_run
from gateline.lsp.shown import show, tell_detected, tell_status, tell_warning
from gateline.session.live.options import SessionOptions
from gateline.session.session import Session
from gateline.session.tasks.recording.looking_back import Listeners
from gateline.session.workspace.roots import SETTINGS_FILES
from gateline.session.workspace.roots import find_root as nearest_root

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server

_MARKS = (*SETTINGS_FILES, ".git")


def open(server: Server, folder: Folder) -> Session:  # noqa: A001 - the module is what is opened from
    """A session for a folder, not started yet."""
    said = folder.options
    return Session(
        folder.root,
        publish=partial(show, server, folder),
        status=lambda update: tell_status(server, folder, update),
        options=SessionOptions(said.interpreter, said.trusted, said.drawn_elsewhere),
        ask=partial(may_tests_run, server, folder),
        listeners=Listeners(partial(tell_detected, server, folder), partial(tell_warning, server)),
    )


def find_root(file: Path) -> Path | None:
    """The root of the project a file belongs to; None when nothing marks one."""
    root = nearest_root(file)
    return root if any((root / mark).exists() for mark in _MARKS) else None
