"""Retrieval as the settings of a workspace want it.

The process that holds the index is told what it needs of them, and neither reads them nor imports what does.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.session.context.cochange import Together
from gateline.session.context.files import ContextFiles
from gateline.session.context.requests import Open
from gateline.session.context.retriever import Retrieval
from gateline.session.context.store import ContextStore
from gateline.session.context.tests import Executing
from gateline.session.errors import UsageError
from gateline.session.workspace.listing import Listing

if TYPE_CHECKING:
    from gateline.session.workspace.workspace import Workspace

_YOUNG = 50_000
"""New objects after which is looked for rings."""


def collect_seldom() -> None:
    """For a process that holds an index, which makes no rings: nobody is to wait for the search."""
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])


def retrieval_of(root: Path, environ: Mapping[str, str], cache: Path | None = None) -> Retrieval:
    """The retrieval of a folder, with what was stored of it. Blocks.

    Raises UsageError when it is switched off.
    """
    from gateline.session.workspace.workspace import open_workspace

    found = retrieval_in(open_workspace(root, environ), cache)
    if found is None:
        raise UsageError("context.enabled is false in the settings of this workspace")
    return found


def retrieval_in(workspace: Workspace, cache: Path | None = None) -> Retrieval | None:
    """The retrieval of a workspace, with what was stored of it; None when it is switched off. Blocks."""
    from gateline.session.context.opening import opening_of

    opening = opening_of(workspace, cache)
    return None if opening is None else retrieval(opening)


def retrieval(opening: Open, names: Callable[[], list[str]] | None = None) -> Retrieval:
    """The same; `names` gives what git lists, if that was asked for already. Blocks."""
    listing = Listing(opening.root, opening.git, opening.exclude, names)
    files = ContextFiles(opening.root, listing, opening.max_size, opening.left_out)
    store = ContextStore(opening.folder)
    together, executing = Together(opening.git).of, Executing(opening.book).of
    found = Retrieval(files, store, together=together, executing=executing)
    found.load()
    return found
