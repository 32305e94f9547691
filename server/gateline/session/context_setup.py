"""Retrieval as the settings of a workspace want it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from gateline.session.context import Retrieval
from gateline.session.context_files import ContextFiles
from gateline.session.context_store import ContextStore
from gateline.session.context_tests import Executing
from gateline.session.errors import UsageError
from gateline.session.together import Together
from gateline.session.workspace import Workspace, open_workspace


def retrieval_of(root: Path, environ: Mapping[str, str], cache: Path | None = None) -> Retrieval:
    """The retrieval of a folder, with what was stored of it. Blocks.

    Raises UsageError when it is switched off.
    """
    found = retrieval_in(open_workspace(root, environ), cache)
    if found is None:
        raise UsageError("context.enabled is false in the settings of this workspace")
    return found


def retrieval_in(workspace: Workspace, cache: Path | None = None) -> Retrieval | None:
    """The retrieval of a workspace, with what was stored of it; None when it is switched off. Blocks."""
    settings = workspace.loaded.settings.context
    if not settings.enabled:
        return None
    files = ContextFiles(workspace.root, workspace.collector, settings.exclude)
    together, executing = Together(workspace.git).of, Executing(partial(_book_of, workspace)).of
    store = ContextStore.of(workspace.root, cache)
    found = Retrieval(files, store, together=together, executing=executing)
    found.load()
    return found


def _book_of(workspace: Workspace) -> Path | None:
    """Where it is kept what the tests of a workspace executed; None where they are switched off."""
    if not workspace.loaded.settings.tests.enabled:
        return None
    from gateline.session.test_setup import book_file_of

    return book_file_of(workspace)
