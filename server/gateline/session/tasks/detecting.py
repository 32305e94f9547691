"""Looks for work that was left: within its time, once for each task, and silently where that fails."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from gateline.session.tasks.tasks import Tasks, has_tasks, tasks_of
from gateline.settings import WorklogSettings
from gateline.store.database import StoreError
from gateline.worklog.task import Task, Tier

log = logging.getLogger(__name__)


def announced(
    tasks: Tasks,
    tier: Tier,
    settings: WorklogSettings,
    current: str = "",
    clock: Callable[[], float] = time.monotonic,
) -> Task | None:
    """Work that was left and is announced now, which is noted; None for none, and when it took too long.

    Blocks. Raises StoreError.
    """
    began = clock()
    found = tasks.to_announce(tier, settings.detect_newest, current)
    taken = clock() - began
    if taken > settings.detect_within:
        log.warning("looking for work that was left took %.0f ms: nothing is said of it", 1000 * taken)
        return None
    return found if found is not None and tasks.announce(found) else None


def announced_at(
    root: Path, tier: Tier, settings: WorklogSettings, folder: Path | None = None
) -> Task | None:
    """The same for the workspace at `root`. Blocks; never raises: what goes wrong is logged."""
    if not has_tasks(root, folder):
        return None
    try:
        with tasks_of(root, folder) as tasks:
            return announced(tasks, tier, settings)
    except StoreError as error:
        log.warning("work that was left cannot be looked for: %s", error)
        return None
