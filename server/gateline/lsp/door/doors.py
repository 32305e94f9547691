"""The doors of an editor's server: one for each of its workspace folders, while it is open."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.resident.places import PlaceError
from gateline.resident.registration import EDITOR

if TYPE_CHECKING:
    from gateline.lsp.door.listener import Listener
    from gateline.lsp.server import Server

log = logging.getLogger(__name__)


class Doors:
    """Opens and closes them as folders come and go. A door that cannot be opened is said in the log."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._open: dict[Path, Listener] = {}
        self._turn = asyncio.Lock()
        self._begun = False

    async def begin(self) -> None:
        """Open them when the server can answer."""
        await self._server.ready.wait()
        self._begun = True
        await self.follow()

    async def follow(self) -> None:
        """One door for each workspace folder of now, and no other, once it was begun."""
        if not self._begun:
            return
        async with self._turn:
            wanted = {folder.root for folder in self._server.folders if not folder.passing}
            for root in self._open.keys() - wanted:
                await self._open.pop(root).close()
            for root in wanted - self._open.keys():
                await self._opened(root)

    async def close(self) -> None:
        """Close all."""
        async with self._turn:
            while self._open:
                await self._open.popitem()[1].close()

    async def _opened(self, root: Path) -> None:
        from gateline.lsp.door.answering import answer
        from gateline.lsp.door.listener import Listener

        listener = Listener(root, EDITOR, partial(answer, self._server, root))
        try:
            await listener.open()
        except (OSError, PlaceError) as error:
            log.warning("agents cannot ask this server about %s: %s", root, error)
        else:
            self._open[root] = listener
