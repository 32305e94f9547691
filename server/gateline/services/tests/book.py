"""The near side of the book: what is known of a project's tests, asked without blocking.

book = TestBook(root, file)
await runner.discover(overlay)
await book.collected(runner.collection, overlay)
chosen = await book.select(overlay, files, change)  # which tests, and why
run = await runner.run([one.test for one in chosen], overlay, arcs=change)
await book.collected(runner.collection, overlay)  # a run may have to collect again
await book.ran(run, overlay)
covered = await book.covered(overlay, files, change, {path: (outline, changed_lines)})
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gateline.services.child import Child
from gateline.services.shielded import shielded
from gateline.services.tests.book_requests import (
    BaseTexts,
    Collected,
    Cover,
    CoverBase,
    Known,
    Open,
    Ran,
    Select,
)
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Collection, Run
from gateline.testing.base_coverage import BaseCoverage
from gateline.testing.book import Asked
from gateline.testing.covered import Covered
from gateline.testing.outline import Outline
from gateline.testing.result import Result
from gateline.testing.selection import Chosen

_PATIENCE = 60.0
"""Seconds for one answer: the first reads all files of the project."""


class TestBook:
    """One project's book, in its own process, kept in a file between sessions.

    All methods raise ChildError when the process fails; a new one knows what the file knows.
    """

    __test__ = False

    def __init__(self, root: Path, file: Path | None = None) -> None:
        """`file` is where the book is kept; None to keep none."""
        self._child = Child("gateline.services.tests.far_book")
        self._open = Open(str(root), str(file) if file else "")
        self._opened = 0
        """Which life of the process has opened the book."""
        self._collected: Collected | None = None
        self._turn = asyncio.Lock()

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        return [self._child.pid] if self._child.pid is not None else []

    async def collected(self, collection: Collection, overlay: Overlay) -> None:
        """Note a collection, and what lay over the disk when it was made. The same one again is free."""
        if self._collected is None or collection is not self._collected.collection:
            self._collected = Collected(collection, dict(overlay))
            await self._ask(self._collected)

    async def ran(self, run: Run, overlay: Overlay) -> None:
        """Note a run, and what lay over the disk meanwhile."""
        await self._ask(Ran(run, overlay))

    async def results(self) -> tuple[Result, ...]:
        """What became of each test when it ran last; of earlier sessions without the failures."""
        found: tuple[Result, ...] = await self._ask(Known())
        return found

    async def select(
        self, overlay: Overlay, files: Iterable[str], change: Iterable[str]
    ) -> tuple[Chosen, ...]:
        """Which collected tests a change can affect and did not run since, the likeliest to fail first.

        `files` are all files of the project, `change` those that differ from the base.
        """
        found: tuple[Chosen, ...] = await self._ask(Select(overlay, tuple(files), tuple(change)))
        return found

    async def covered(
        self, overlay: Overlay, files: Iterable[str], change: Iterable[str], asked: Asked
    ) -> Mapping[str, Covered]:
        """What is known of changed lines, by path."""
        select = Select(overlay, tuple(files), tuple(change))
        found: Mapping[str, Covered] = await self._ask(Cover(select, asked))
        return found

    async def texts_of_base(self, overlay: Overlay, files: Iterable[str]) -> Mapping[str, str]:
        """The texts of a base that tests execute, by path, as far as what is known speaks of it."""
        found: Mapping[str, str] = await self._ask(BaseTexts(overlay, tuple(files)))
        return found

    async def coverage_of_base(
        self, overlay: Overlay, files: Iterable[str], outlines: Mapping[str, Outline]
    ) -> BaseCoverage:
        """What tests execute of these files of a base."""
        found: BaseCoverage = await self._ask(CoverBase(BaseTexts(overlay, tuple(files)), outlines))
        return found

    async def stop(self) -> None:
        """Write the book, and end its process."""
        await self._child.close()

    async def _ask(self, request: object) -> Any:
        # Who stops waiting must not end the process: what was not written yet would be lost.
        return await shielded(self._asked(request))

    async def _asked(self, request: object) -> Any:
        async with self._turn:
            if self._child.pid is None or self._child.starts != self._opened:
                await self._child.ask(self._open, _PATIENCE)
                self._opened = self._child.starts
                if self._collected is not None and request is not self._collected:
                    await self._child.ask(self._collected, _PATIENCE)
            return await self._child.ask(request, _PATIENCE)
