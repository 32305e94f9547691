"""The start of a session: work that was left is told, and what is over its limits is forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gateline.model import Change
from gateline.session.tasks.housekeeping import tidy
from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.tasks import Tasks, tier_for
from gateline.worklog.task import Task
from gateline.worklog.tier import InferredTier

log = logging.getLogger(__name__)

Run = Callable[..., Awaitable[Any]]
"""Runs a function with its arguments where it may block."""


@dataclass(frozen=True)
class Listeners:
    """Whom the start of a session tells something. They are called on the event loop."""

    detected: Callable[[Task], None] = lambda task: None
    """Work was left that nobody was told of."""
    warned: Callable[[str], None] = lambda text: None
    """Something comes near its limit."""


@dataclass(frozen=True)
class LookingBack:
    """For one session that began at `since`. Methods raise StoreError, SavepointError and OSError."""

    run: Run
    since: datetime
    listeners: Listeners
    folder: Path | None

    async def at_start(self, journal: Journal, change: Change) -> None:
        """Tell of work that was left, and forget what is over its limits. One of several servers does it."""
        if not await self.run(journal.leads):
            return
        settings = journal.settings.worklog
        try:
            found = await self._looked_for(journal, await self._tier(journal, change))
            if found is not None and await self.run(journal.ask, lambda tasks, _: tasks.announce(found)):
                self.listeners.detected(found)
        except TimeoutError:
            # The thread that looks is busy still: what is over its limits waits for the next session.
            log.warning("looking for unfinished work took over %g s", settings.detect_within)
            return
        done = await self.run(tidy, journal.root, settings, None, self.folder)
        if done.tasks.warning:
            self.listeners.warned(done.tasks.warning)

    async def left(self, journal: Journal, change: Change) -> Task | None:
        """Work that was left before the session began, on whatever branch, told or not."""
        tier, newest = (await self._tier(journal, change)).tier, journal.settings.worklog.detect_newest

        def look(tasks: Tasks, branch: str) -> Task | None:
            task = tasks.current(branch)
            # What goes on here was left when it is older than the session; it is this session's otherwise.
            own = task.id if task is not None and task.started_at >= self.since else ""
            return tasks.to_announce(tier, newest, own, again=True)

        found: Task | None = await self.run(journal.ask, look)
        return found

    async def _looked_for(self, journal: Journal, tier: InferredTier) -> Task | None:
        settings = journal.settings.worklog

        def look(tasks: Tasks, branch: str) -> Task | None:
            return tasks.to_announce(tier.tier, settings.detect_newest)

        async with asyncio.timeout(settings.detect_within):
            found: Task | None = await self.run(journal.ask, look)
            return found

    async def _tier(self, journal: Journal, change: Change) -> InferredTier:
        found: InferredTier = await self.run(tier_for, change, journal.settings.worklog)
        return found
