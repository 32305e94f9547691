"""SQLite's write-ahead log, for files that several processes open at a time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

_PAUSE = 0.01
"""Seconds between two tries."""
_PRIMARY = 0xFF
"""The bits of an error code without its extension."""


def write_ahead(
    connection: sqlite3.Connection,
    patience: float,
    now: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Have the file written ahead, waiting up to `patience` seconds for others that open it.

    The change needs the file alone, and SQLite fails at once where another process has it: the timeout of a
    connection is for transactions. Raises sqlite3.OperationalError.
    """
    end = now() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY != sqlite3.SQLITE_BUSY or now() >= end:
                raise
            pause(_PAUSE)
        else:
            return
