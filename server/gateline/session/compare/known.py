"""Comparisons by content: the same candidates, base, environment and settings are not compared again.

What no content tells, as the clock or what ignored folders hold, is why an answer is given again for a time
only (`compare.cache`). Nothing is kept of which a part failed or came late.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from gateline.session.judge.verdict_cache.environment import (
    digest_of,
    editable_elsewhere,
    own_state,
    places_of,
    state_of,
    variables,
)
from gateline.session.workspace.workspace import Workspace
from gateline.store.comparisons import Comparisons
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE
from gateline.store.folders import state_of as folder_of

log = logging.getLogger(__name__)

_LONGEST = 10 * 365 * 86400.0
"""Seconds; also where the settings say longer than a date can tell, as `inf`."""

T = TypeVar("T")


def key_of(workspace: Workspace, top: Path, environ: Mapping[str, str], asked: tuple[object, ...]) -> str:
    """Names what a comparison depends on; empty where that cannot be told. Blocks.

    `asked` are the trees and all else that was asked, as values with a stable `repr`; `top` is the folder of
    the repository.
    """
    python = workspace.interpreter.path
    places = places_of(python)
    if not places or editable_elsewhere(places, top) or _is_path_elsewhere(environ, top):
        return ""
    settings = workspace.loaded.settings.model_dump_json()
    rows = (str(workspace.root), python, settings, own_state(), state_of(places, top), *map(repr, asked))
    return digest_of((*rows, *variables(environ)))


def _is_path_elsewhere(environ: Mapping[str, str], top: Path) -> bool:
    """Whether modules come from folders outside of the repository: nothing tells when one is edited there."""
    folders = filter(None, environ.get("PYTHONPATH", "").split(os.pathsep))
    return any(not Path(folder).resolve().is_relative_to(top.resolve()) for folder in folders)


@dataclass(frozen=True, slots=True)
class Answers(Generic[T]):
    """What was answered in the workspace at `root`, as JSON of one type. Nothing raises."""

    root: Path
    form: TypeAdapter[T]

    def find(self, key: str, seconds: float, now: datetime) -> tuple[T, datetime] | None:
        """What was answered within so many seconds before `now`, and when. Blocks."""
        if not key or seconds <= 0:
            return None
        try:
            with closing(self._database()) as database:
                kept = Comparisons(database).find(key, now - timedelta(seconds=min(seconds, _LONGEST)))
            return None if kept is None else (self.form.validate_json(kept[0]), kept[1])
        except (StoreError, ValidationError) as error:
            log.warning("no earlier comparison can be read, they are compared again: %s", error)
            return None

    def newest(self) -> list[T]:
        """All answers that are kept and can be read, the newest first. Blocks."""
        try:
            with closing(self._database()) as database:
                contents = Comparisons(database).newest()
        except StoreError as error:
            log.info("earlier comparisons cannot be read: %s", error)
            return []
        found: list[T] = []
        for content in contents:
            # One that another version of gateline kept may have another form.
            with suppress(ValidationError):
                found.append(self.form.validate_json(content))
        return found

    def keep(self, key: str, found: T, now: datetime) -> None:
        """Keep an answer for whoever asks the same. Blocks."""
        if not key:
            return
        try:
            with closing(self._database()) as database:
                Comparisons(database).add(key, self.form.dump_json(found).decode(), now)
        except (StoreError, ValueError) as error:
            log.warning("the comparison is not kept: %s", error)

    def _database(self) -> Database:
        return Database(folder_of(self.root) / DATABASE)
