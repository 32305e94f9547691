"""Which stage of which version of a document has been published, for those who wait for it."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from gateline.model import Document

ALL = "all"
_PARTS = ("syntax", "types", "inspected")


class Stages:
    """Remembers the newest version of each document for which a stage is done."""

    def __init__(self) -> None:
        self._done: dict[tuple[str, str], int] = {}
        self._waiting: dict[tuple[str, str], list[tuple[int, asyncio.Future[None]]]] = defaultdict(list)

    def done(self, document: Document, stage: str) -> None:
        """The stage is done for this version, and so for all before it."""
        version = document.version or 0
        self._reached(document.path, stage, version)
        everywhere = min(self._done.get((document.path, part), -1) for part in _PARTS)
        if everywhere >= 0:
            self._reached(document.path, ALL, everywhere)

    def reached(self, document: Document, stage: str) -> bool:
        """Whether the stage is done for this version of a document."""
        return self._done.get((document.path, stage), -1) >= (document.version or 0)

    def began(self, path: str, stage: str) -> bool:
        """Whether the stage is done for any version of a document since it was opened."""
        return (path, stage) in self._done

    def skip(self, document: Document) -> None:
        """Nothing will be done for this version: nobody need wait for it."""
        for part in _PARTS:
            self.done(document, part)

    def _reached(self, path: str, stage: str, version: int) -> None:
        key = (path, stage)
        self._done[key] = max(version, self._done.get(key, version))
        for wanted, future in self._waiting.pop(key, []):
            if wanted > version:
                self._waiting[key].append((wanted, future))
            elif not future.done():
                future.set_result(None)

    def close(self, path: str) -> None:
        """Nobody need wait any longer for this document."""
        for key in [k for k in {*self._done, *self._waiting} if k[0] == path]:
            self._done.pop(key, None)
            for _, future in self._waiting.pop(key, []):
                if not future.done():
                    future.set_result(None)

    async def wait(self, path: str, stage: str, version: int) -> None:
        """Until the stage is done for `version` or a later one, or the document is closed."""
        if self._done.get((path, stage), -1) >= version:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[path, stage].append((version, future))
        await future
