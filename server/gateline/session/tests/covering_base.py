"""What tests execute of the base of a change: kept by its commit, or told by the book of it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from gateline.git import GitError
from gateline.model import Change, Report
from gateline.services.child import ChildError
from gateline.services.shielded import begun
from gateline.services.tests.overlay import Overlay
from gateline.session.tests.covering import measured
from gateline.session.tests.selecting import Selecting
from gateline.session.tests.services import TestService
from gateline.session.workspace.base import EMPTY_TREE, SESSION
from gateline.session.workspace.changes import EVERYTHING
from gateline.testing.base_coverage import BaseCoverage, BaseCoverages
from gateline.testing.coverage_report import base_reports
from gateline.testing.outline import Outline

log = logging.getLogger(__name__)
_MOST_FILES = 200
"""Files that are looked at for the total of a base; of more, only the changed ones."""
_KEPT = 20
"""Bases that are kept of one project."""


class CoveringBase:
    """Asks once for each base. It must be asked before a run of the change is noted in the book."""

    def __init__(
        self,
        service: TestService,
        selecting: Selecting,
        kept: BaseCoverages,
        overlay: Callable[[Change], Awaitable[Overlay]],
        whole: Callable[[Change], BaseCoverage | None] = lambda change: None,
    ) -> None:
        """`overlay` says what of the base is another one on disk; it may raise GitError.

        `whole` says what a run of all tests at the base told, which is better than what the book knows.
        """
        self._whole = whole
        self._service = service
        self._selecting = selecting
        self._kept = kept
        self._overlay = overlay
        self._known: tuple[str, BaseCoverage | None] = "", None
        self._asking: asyncio.Task[BaseCoverage | None] | None = None

    def begin(self, change: Change) -> None:
        """Find out while tests are collected."""
        self._asking = begun(self._of(change))

    async def reports(self, change: Change) -> Mapping[str, Report]:
        """What was found out, as reports of the base by its paths."""
        known = await self._asking if self._asking is not None else None
        whole = self._whole(change)
        if whole is not None and whole != known:
            known, self._known = whole, (change.base, whole)
            await asyncio.to_thread(self._kept.keep, change.base, whole)
        paths = [(row.path, row.base.path if row.base else "") for row in measured(change)]
        return base_reports(known, paths) if known is not None else {}

    async def ready(self) -> None:
        """Wait until the book was asked: what runs from here on may be noted."""
        if self._asking is not None:
            await asyncio.wait([self._asking])

    async def _of(self, change: Change) -> BaseCoverage | None:
        if change.base in (SESSION, EMPTY_TREE) or change.base_label == EVERYTHING:
            return None
        if self._known[0] != change.base or self._known[1] is None:
            self._known = change.base, await self._found(change)
        return self._known[1]

    async def _found(self, change: Change) -> BaseCoverage | None:
        kept = await asyncio.to_thread(self._kept.of_tree, change.base)
        if kept is not None and kept.whole:
            return kept
        try:
            told = await self._told(change)
        except (ChildError, GitError) as error:
            log.info("what tests execute of the base is not known: %s", error)
            return kept
        if not told.files or (kept is not None and not told.whole):
            return kept
        await asyncio.to_thread(self._kept.keep, change.base, told)
        return told

    async def _told(self, change: Change) -> BaseCoverage:
        book, files = self._selecting.book, await self._selecting.files()
        overlay = dict(await self._overlay(change))
        texts = await book.texts_of_base(overlay, files)
        if len(texts) > _MOST_FILES:
            changed = {row.base.path for row in change.files if row.base}
            texts = {path: text for path, text in texts.items() if path in changed}
        outlined = await self._service.outlines(texts)
        outlines = {path: one for path, one in outlined.items() if isinstance(one, Outline)}
        return await book.coverage_of_base(overlay, files, outlines)


class BaseCoverageFiles:
    """A folder with a file for each base."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of_tree(self, tree: str) -> BaseCoverage | None:
        """What was kept; None where nothing was, or it cannot be read."""
        try:
            return BaseCoverage.from_json(json.loads(self._file(tree).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("the coverage of the base %s cannot be read: %r", tree, error)
            return None

    def keep(self, tree: str, coverage: BaseCoverage) -> None:
        """Keep it; the oldest ones are let go. An error is logged: then it is not known the next time."""
        file = self._file(tree)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(coverage.to_json()), encoding="utf-8")
            part.replace(file)
            newest = sorted(self._folder.iterdir(), key=lambda one: -one.stat().st_mtime)
            for old in newest[_KEPT:]:
                old.unlink(missing_ok=True)
        except OSError as error:
            log.warning("the coverage of the base %s could not be kept: %s", tree, error.strerror)

    def _file(self, tree: str) -> Path:
        return self._folder / f"{tree}.json"


class NothingOfBase:
    """Where nobody can be asked about the base."""

    def begin(self, change: Change) -> None:
        """Nothing is found out."""

    async def ready(self) -> None:
        """Nothing is waited for."""

    async def reports(self, change: Change) -> Mapping[str, Report]:
        """Nothing is known."""
        return {}
