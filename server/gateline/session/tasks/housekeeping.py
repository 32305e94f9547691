"""Keeps what is remembered of a workspace within its limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from gateline.session.tasks.savepoints import savepoints_of
from gateline.session.tasks.tasks import now, tasks_of
from gateline.settings import WorklogSettings
from gateline.store.folders import state_of
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Savepoint
from gateline.worklog.retention import Limits, Verdict

_MB = 1_000_000
_TIDIED = "tidied"
"""A file whose time says when that was done last."""


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was done, and what is left."""

    tasks: Verdict
    savepoints: int
    """How many were dropped."""
    size: int
    """Bytes that are taken now."""
    tokens: float = 0.0
    """What tasks are handed for models and agents, as a mean weighted by tier."""


def tidy(
    root: Path, settings: WorklogSettings, at: datetime | None = None, folder: Path | None = None
) -> Tidied:
    """Do what retention says. Blocks. Raises StoreError and SavepointError.

    Savepoints go when summaries do, and the oldest ones earlier while all take more than the settings
    allow; the newest always stays.
    """
    moment = at or now()
    limits, cap = limits_of(settings), settings.size * _MB
    savepoints = savepoints_of(root, folder)
    with tasks_of(root, folder, lambda: moment) as tasks:
        verdict = tasks.clean(limits)
        used, tokens = tasks.database.size(), tasks.mean_handed()
        known = savepoints.all()
        dropped = [one for one in known[1:] if moment - one.at > limits.summaries_for]
        savepoints.drop(dropped)
        for half in _halves(savepoints, cap - used):
            savepoints.drop(half)
            dropped += half
        tasks.without(one.id for one in dropped)
    (state_of(root, folder) / _TIDIED).touch()
    return Tidied(verdict, len(dropped), used + savepoints.size(), tokens)


def limits_of(settings: WorklogSettings) -> Limits:
    """What retention goes by."""
    return Limits(
        timedelta(hours=settings.abandoned_after),
        timedelta(days=settings.summaries_for),
        settings.active,
        settings.warn_from,
    )


def tidied_since(root: Path, moment: datetime, folder: Path | None = None) -> bool:
    """Whether that was done after a moment. Blocks."""
    try:
        return (state_of(root, folder) / _TIDIED).stat().st_mtime > moment.timestamp()
    except OSError:
        return False


def _halves(savepoints: Savepoints, room: int) -> Iterator[list[Savepoint]]:
    """The older half of what there is, again and again, while it takes more than there is room for."""
    while savepoints.size() > room and len(known := savepoints.all()) > 1:
        yield known[(len(known) + 1) // 2 :]
