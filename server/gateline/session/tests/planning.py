"""Chooses tests while it is still found out whether the tests that are known stand for the newest texts."""

from __future__ import annotations

import asyncio

from gateline.model import Change
from gateline.services.shielded import begun
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Collection
from gateline.session.tests.selecting import Plan, Selecting, Wanted, Which


class Planning:
    """One plan. Without `selecting` all tests are run."""

    def __init__(self, selecting: Selecting | None, now: Overlay, change: Change, wanted: Wanted) -> None:
        self._selecting = selecting
        self._now, self._change, self._wanted = now, change, wanted
        self._begun: tuple[Collection, asyncio.Task[Plan]] | None = None

    def begin(self, collection: Collection | None) -> None:
        """Choose among the tests of the last collection: mostly it stands."""
        if collection is not None:
            self._begun = collection, begun(self._plan(collection))

    async def of(self, collection: Collection) -> Plan:
        """The plan for a collection."""
        if self._begun is not None and self._begun[0] is collection:
            return await self._begun[1]
        self.end()
        return await self._plan(collection)

    def end(self) -> None:
        """It is not wanted any more."""
        if self._begun is not None:
            self._begun[1].cancel()

    async def _plan(self, collection: Collection) -> Plan:
        if self._selecting is None:
            return Plan(Which.ALL, (), only=self._wanted.only)
        return await self._selecting.plan(collection, self._now, self._change, self._wanted)
