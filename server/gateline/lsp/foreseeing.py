"""What the type checker can do while sessions are imported, before anybody can ask it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from gateline.lsp.addresses import file_of, path_in

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server
    from gateline.services.types.messages import Setup

_TOGETHER = 0.02
"""Seconds in which a client opens all documents of its window."""


def engine(server: Server) -> None:
    """Have the engine built that the first folder had the last time."""
    from gateline.services.spawning import tell
    from gateline.services.types.messages import FAR, Foresee
    from gateline.store.folders import types_record

    folder = next(iter(server.folders), None)
    if folder is not None:
        tell(FAR, Foresee(str(types_record(folder.root)), folder.options.trusted))


async def document(server: Server) -> None:
    """Have the document checked that is open, where no engine was built before and no other is open.

    With several the first question is about those that are analysed first, which nobody knows yet.
    """
    from gateline.services.spawning import tell
    from gateline.services.types.messages import FAR, Glance, Plain

    await server.configured.wait()
    await asyncio.sleep(_TOGETHER)
    buffers = server.buffers()
    folder = server.folders.at(buffers[0].uri) if len(buffers) == 1 else None
    file = file_of(buffers[0].uri) if folder is not None else None
    path = path_in(folder.root, file) if folder is not None and file is not None else None
    if folder is None or path is None:
        return
    setup = await asyncio.to_thread(setup_without_cache, folder)
    if setup is not None:
        tell(FAR, Glance(Plain(setup, {path: buffers[0].text}, alone=True)))


def setup_without_cache(folder: Folder) -> Setup | None:
    """How mypy will be run by default; None where it is not used, or has a cache. Blocks."""
    from gateline.services.types.runs.cache import is_primed
    from gateline.session.types.setup import is_without_mypy, type_setup
    from gateline.session.workspace.interpreter import find_interpreter

    options = folder.options
    if is_without_mypy(folder.root):
        return None
    found = find_interpreter(folder.root, os.environ, options.interpreter, trusted=options.trusted)
    python = found.of_packages
    setup = type_setup(folder.root, python, trusted=options.trusted)
    return None if is_primed(setup.cache_dir) else setup
