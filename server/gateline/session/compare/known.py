"""Comparisons by content: the same candidates, base, environment and settings are not compared again.

What no content tells, as the clock or what ignored folders hold, is why an answer is given again for a time
only (`compare.cache`). Nothing is kept of which a part failed or came late.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from gateline.session.judge.verdict_cache.environment import (
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

T = TypeVar("T")


def key_of(workspace: Workspace, top: Path, environ: Mapping[str, str], asked: tuple[object, ...]) -> str:
    """Names what a comparison depends on; empty where that cannot be told. Blocks.

    `asked` are the trees and all else that was asked, as values with a stable `repr`; `top` is the folder of
    the repository.
    """
    python = workspace.interpreter.path
    places = places_of(python)
    if not places or editable_elsewhere(places, top):
        return ""
    settings = workspace.loaded.settings.model_dump_json()
    rows = (str(workspace.root), python, settings, own_state(), state_of(places, top), *map(repr, asked))
    digest = blake2b(digest_size=20)
    for row in (*rows, *variables(environ)):
        digest.update(row.encode("utf-8", "surrogateescape") + b"\0")
    return digest.hexdigest()


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
                kept = Comparisons(database).find(key, now - timedelta(seconds=seconds))
            return None if kept is None else (self.form.validate_json(kept[0]), kept[1])
        except (StoreError, ValidationError) as error:
            log.warning("no earlier comparison can be read, they are compared again: %s", error)
            return None

    def newest(self) -> list[T]:
        """All answers that are kept and can be read, the newest first. Blocks."""
        try:
            with closing(self._database()) as database:
                return [self.form.validate_json(content) for content in Comparisons(database).newest()]
        except (StoreError, ValidationError) as error:
            log.info("earlier comparisons cannot be read: %s", error)
            return []

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
