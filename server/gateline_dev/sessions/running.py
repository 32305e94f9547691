"""One session in a process of its own: what a pool of processes is given."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from gateline_dev.sessions.operations import Op
from gateline_dev.sessions.results import Row
from gateline_dev.sessions.shrinking import shrunk
from gateline_dev.sessions.trying import Tried, far, near

_FOLDER: list[Path] = []
"""Of this process: where its real servers work."""


def one(door: str, seed: int, ops: Sequence[Op], shrink: bool) -> Row:
    """The row of one session."""
    logging.disable(logging.CRITICAL)
    if not _FOLDER:
        _FOLDER.append(Path(mkdtemp(prefix="gateline-sessions-")))

    def attempt(some: Sequence[Op]) -> Tried:
        try:
            return near(seed, some) if door == "near" else far(seed, some, _FOLDER[0])
        except Exception as error:  # noqa: BLE001 - a session that cannot be tried is a row, too
            return Tried(seed, some, trouble=f"{type(error).__name__}: {error}")

    tried = attempt(ops)
    row = Row.of(door, tried)
    if not (shrink and tried.kinds):
        return row
    shortest = shrunk(ops, lambda some: bool({*attempt(some).kinds} & {*tried.kinds}))
    short = Row.of(door, attempt(shortest))
    return replace(
        row, shortest=[op.as_json() for op in shortest], differences=short.differences or row.differences
    )
