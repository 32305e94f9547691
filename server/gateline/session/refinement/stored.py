"""Loops that are stored: found, listed, and ended by a person. A server imports it, so it stays light."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import portalocker

from gateline.refinement.course import result_of
from gateline.refinement.state import Kind, LoopState, Step
from gateline.session.errors import UsageError
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops

FOLDER = "refinement"
"""Of logs and locks, in the folder of the workspace's state."""


@contextmanager
def alone(folder: Path, loop: str) -> Iterator[None]:
    """Nobody else runs this loop meanwhile. Raises UsageError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = portalocker.Lock(folder / f"{loop}.lock", "a", timeout=0, fail_when_locked=True)
    try:
        lock.acquire()
    except portalocker.LockException:
        raise UsageError(f"loop {loop} is under way in another process") from None
    try:
        yield
    finally:
        lock.release()


def end_loop(root: Path, loop: str, reason: str) -> LoopState:
    """End a loop that nobody runs any more, at the best content that it found; of an ended one the state.

    Blocks. Raises UsageError where it is under way in another process, and StoreError.
    """
    from gateline.session.tasks.metrics import keep_metrics  # late: who lists loops needs none

    database = Database(state_of(root) / DATABASE)
    try:
        loops = Loops(database)
        state = loops.find(loop)
        with alone(state_of(root) / FOLDER, state.id):
            state = loops.find(state.id)
            if state.ended is None:
                state = replace(state, ended=Step(Kind.CANCELLED, reason, tree=result_of(state)))
                loops.update(state)
            if trouble := keep_metrics(root):
                state = replace(state, troubles=tuple(dict.fromkeys((*state.troubles, trouble))))
                with suppress(StoreError):
                    loops.update(state)
    finally:
        database.close()
    return state


def is_run(root: Path, loop: str) -> bool:
    """Whether some process runs a loop now. Blocks."""
    try:
        with alone(state_of(root) / FOLDER, loop):
            return False
    except UsageError:
        return True


def find_loop(root: Path, loop: str) -> LoopState:
    """The loop whose identifier is or begins with `loop`. Blocks. Raises StoreError where there is none."""
    database = Database(state_of(root) / DATABASE)
    try:
        return Loops(database).find(loop)
    finally:
        database.close()


def loops_of(root: Path) -> tuple[list[LoopState], list[str]]:
    """All loops of the workspace at `root` that can be read, newest first, and why others cannot.

    Blocks. Raises StoreError.
    """
    database = Database(state_of(root) / DATABASE)
    try:
        return Loops(database).read()
    finally:
        database.close()
