"""Looks for the changed lines of a change elsewhere in the workspace, in the worker's index of all files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gateline.model import Change, FileChange, Report
from gateline.services.child import ChildError
from gateline.services.shielded import begun
from gateline.session.changes import Collector
from gateline.session.engine import Engine, no_clones
from gateline.session.surroundings import Surroundings

_READ_AT_ONCE = 50
"""Files read between two turns of the index, so that neither memory nor the worker is filled."""


@dataclass
class Duplicates:
    """One workspace's index of clones, which lives as long as the worker's process."""

    engine: Engine
    collector: Collector
    surroundings: Surroundings
    _indexed: asyncio.Task[int] | None = field(default=None, init=False)
    """In which life of the worker all files were taken in."""

    async def of_change(self, change: Change) -> Mapping[str, Report]:
        """A report for each file that the change leaves; one that says so where the worker fails."""
        rows = [row for row in change.files if not row.skipped]
        texts = [row.current for row in rows if row.current]
        try:
            await self._index(rows)
        except ChildError as error:
            return {text.path: no_clones(error) for text in texts}
        bases = {row.path: row.base for row in rows}
        return {text.path: await self.engine.clones(text, bases[text.path]) for text in texts}

    def stop(self) -> None:
        """Nobody waits for the index any more."""
        if self._indexed is not None:
            self._indexed.cancel()

    async def _index(self, rows: Sequence[FileChange]) -> None:
        if not self._is_whole:
            self._indexed = begun(self._index_all())
        assert self._indexed is not None, "just begun, if not before"
        await asyncio.shield(self._indexed)
        await self.engine.index((row.path, row.current.text if row.current else None) for row in rows)
        gone = [row.base.path for row in rows if row.base and row.base.path != row.path]
        await self.engine.index((path, None) for path in gone)

    @property
    def _is_whole(self) -> bool:
        """Whether the index is there or being made; one that failed, or died with its process, is not."""
        task = self._indexed
        if task is None or not task.done():
            return task is not None
        failed = task.cancelled() or task.exception() is not None
        return not failed and task.result() == self.engine.life

    async def _index_all(self) -> int:
        paths = await asyncio.to_thread(self.collector.project_files)
        lives = []
        for start in range(0, len(paths), _READ_AT_ONCE):
            some = paths[start : start + _READ_AT_ONCE]
            documents = await asyncio.to_thread(self.surroundings.documents, some)
            await self.engine.index((path, document.text) for path, document in documents.items())
            lives.append(self.engine.life)
        return lives[0] if lives else self.engine.life
