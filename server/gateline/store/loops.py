"""Refinement loops of a workspace: one row for each, and one for each of its rounds."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from gateline.refinement.state import LoopState, Round, loaded, plain
from gateline.store.database import Database, StoreError

log = logging.getLogger(__name__)


class UnreadableLoopError(StoreError):
    """What is stored of a loop is none: it will never be read."""


class Loops:
    """Reads and writes; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, state: LoopState) -> None:
        """A loop begins. One of this id that is there already is an error."""
        with self._database.writing() as connection:
            row = (state.id, state.begun, json.dumps(_head(state), sort_keys=True))
            connection.execute("INSERT INTO loops (id, begun, content) VALUES (?, ?, ?)", row)

    def update(self, state: LoopState) -> None:
        """What is known beside its rounds: how it began, and how it ended."""
        with self._database.writing(durable=True) as connection:
            ended = "" if state.ended is None else str(state.ended.kind)
            row = (json.dumps(_head(state), sort_keys=True), ended, state.id)
            connection.execute("UPDATE loops SET content = ?, ended = ? WHERE id = ?", row)

    def add(self, loop: str, done: Round) -> None:
        """A round is over. Its number is there once: what was stored is never stored again."""
        with self._database.writing(durable=True) as connection:
            content = json.dumps(plain(done), sort_keys=True)
            row = (loop, done.number, content)
            connection.execute("INSERT INTO rounds (loop, number, content) VALUES (?, ?, ?)", row)

    def find(self, name: str) -> LoopState:
        """The loop whose id is or begins with `name`. Raises StoreError where there is none, or several."""
        rows = self._database.rows(
            "SELECT id, content FROM loops WHERE substr(id, 1, ?) = ?", (len(name), name)
        )
        if len(rows) != 1:
            what = f"{len(rows)} loops begin" if rows else "no loop begins"
            raise StoreError(f"{what} with {name!r}; `gateline refine --list` shows all")
        return self._whole(*rows[0])

    def read(self) -> tuple[list[LoopState], list[str]]:
        """All loops that can be read, newest first, and why others cannot."""
        rows = self._database.rows("SELECT id, content FROM loops ORDER BY begun DESC, id DESC")
        found: list[LoopState] = []
        troubles: list[str] = []
        for row in rows:
            try:
                found.append(self._whole(*row))
            except UnreadableLoopError as error:
                troubles.append(str(error).replace("\n", " "))
        return found, troubles

    def all(self) -> list[LoopState]:
        """All loops that can be read, newest first; others are logged."""
        found, troubles = self.read()
        for trouble in troubles:
            log.warning("%s", trouble)
        return found

    def ended(self, known: Collection[str] = ()) -> list[LoopState]:
        """The loops that have ended and are not `known`, newest first; no other one's rounds are read.

        One that is unreadable is left out, so that it does not take away all others, and logged.
        """
        rows = self._database.rows(
            "SELECT id, content FROM loops WHERE ended != '' ORDER BY begun DESC, id DESC"
        )
        found = []
        for row in rows:
            if row[0] not in known:
                try:
                    found.append(self._whole(*row))
                except UnreadableLoopError as error:
                    log.warning("%s", error)
        return found

    def ended_names(self) -> list[str]:
        """The ids of the loops that have ended; no round is read."""
        return [row[0] for row in self._database.rows("SELECT id FROM loops WHERE ended != ''")]

    def exactly(self, loop: str) -> LoopState | None:
        """The loop of this id; None where it is not there any more. Raises UnreadableLoopError."""
        rows = self._database.rows("SELECT id, content FROM loops WHERE id = ?", (loop,))
        return self._whole(*rows[0]) if rows else None

    def drop(self, loop: str) -> None:
        """Forget a loop and its rounds."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM loops WHERE id = ?", (loop,))

    def _whole(self, loop: str, content: str) -> LoopState:
        rows = self._database.rows("SELECT content FROM rounds WHERE loop = ? ORDER BY number", (loop,))
        try:
            data: dict[str, Any] = {**json.loads(content), "rounds": [json.loads(row) for (row,) in rows]}
            return loaded(data)
        except (ValueError, TypeError) as error:
            raise UnreadableLoopError(f"loop {loop} cannot be read: {error}") from error


def _head(state: LoopState) -> dict[str, Any]:
    return plain(replace(state, rounds=()))
