"""What the process that holds the index has to know of a workspace and its settings."""

from __future__ import annotations

from pathlib import Path

from gateline.session.context.requests import Open
from gateline.session.tests.setup import book_file_of
from gateline.session.workspace.workspace import Workspace
from gateline.store.folders import context_of


def opening_of(workspace: Workspace, cache: Path | None = None) -> Open | None:
    """What opens the index of a workspace; None where context is switched off. Blocks."""
    settings = workspace.loaded.settings
    if not settings.context.enabled:
        return None
    collector = workspace.collector
    return Open(
        root=workspace.root,
        git=workspace.git,
        max_size=collector.max_size,
        exclude=collector.exclude,
        folder=context_of(workspace.root, cache),
        left_out=settings.context.exclude,
        book=book_file_of(workspace) if settings.tests.enabled else None,
    )
