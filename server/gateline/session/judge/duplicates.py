"""Looks for the changed lines of a change elsewhere in the workspace, in the worker's index of all files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gateline.model import Change, FileChange, Report, digest_of
from gateline.services.child import ChildError
from gateline.session.judge.engine import Engine, no_clones
from gateline.session.types.services import Texts
from gateline.session.workspace.changes import Collector
from gateline.session.workspace.dependents import Surroundings

_READ_AT_ONCE = 50
"""Files read between two turns of the index, so that neither memory nor the worker is filled."""

_Stamp = str | tuple[int, int, int]
"""What tells one content from another: the digest of a text, or a file's time, size and number."""


@dataclass
class Duplicates:
    """One workspace's index of clones, which lives as long as the worker's process.

    It holds the files as they are, under the texts around the change and its own. What left these since the
    last question, or was written, is taken in anew.
    """

    engine: Engine
    collector: Collector
    surroundings: Surroundings
    _known: dict[str, _Stamp] = field(default_factory=dict, init=False)
    """What the index has of each path."""
    _life: int = field(default=0, init=False)
    """The life of the worker that has it."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def of_change(self, change: Change, around: Texts) -> Mapping[str, Report]:
        """A report for each file that the change leaves; one that says so where the worker fails.

        `around` is laid over the disk, under the change: a document that is as in the base is none of the
        change, and counts where its file was moved away or written.
        """
        rows = [row for row in change.files if not row.skipped]
        texts = [row.current for row in rows if row.current]
        try:
            async with self._turn:
                await self._index(rows, around)
        except ChildError as error:
            return {text.path: no_clones(error) for text in texts}
        bases = {row.path: row.base for row in rows}
        return {text.path: await self.engine.clones(text, bases[text.path]) for text in texts}

    async def _index(self, rows: Sequence[FileChange], around: Texts) -> None:
        if not self.engine.life:
            await self.engine.warm()
        while self._life != self.engine.life:
            # A process that ended took the index along, perhaps half of it while it was made.
            self._life = self.engine.life
            self._known.clear()
            await self._take_in(rows, around)
        await self._take_in(rows, around)

    async def _take_in(self, rows: Sequence[FileChange], around: Texts) -> None:
        """What differs from what the index has."""
        moved: Texts = {row.base.path: None for row in rows if row.base}
        over = {**around, **moved, **{row.path: row.current.text for row in rows if row.current}}
        laid = {path: text for path, text in over.items() if text is not None}
        files = await asyncio.to_thread(self._files)
        wanted = {path: stamp for path, stamp in files.items() if path not in over}
        await self._put(dict.fromkeys(self._known.keys() - wanted.keys() - laid.keys()))
        differ = [path for path, stamp in wanted.items() if self._known.get(path) != stamp]
        for some in _batches(differ):
            documents = await asyncio.to_thread(self.surroundings.documents, some)
            texts = {path: documents[path].text if path in documents else None for path in some}
            await self._put(texts, wanted)
        digests = {path: digest_of(text) for path, text in laid.items()}
        typed = [path for path, digest in digests.items() if self._known.get(path) != digest]
        await self._put({path: laid[path] for path in typed}, digests)

    async def _put(self, texts: Mapping[str, str | None], stamps: Mapping[str, _Stamp] | None = None) -> None:
        """Take texts in, and remember them by their stamps; without, those that are gone."""
        if not texts:
            return
        await self.engine.index(texts.items())
        for path in texts:
            self._known.pop(path, None)
            if stamps is not None:
                self._known[path] = stamps[path]

    def _files(self) -> dict[str, _Stamp]:
        """The files of the project with their stamps. Blocks."""
        found: dict[str, _Stamp] = {}
        for path in self.collector.project_files():
            try:
                status = (self.collector.root / path).stat()
            except OSError:
                continue
            found[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        return found


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), _READ_AT_ONCE):
        yield paths[start : start + _READ_AT_ONCE]
