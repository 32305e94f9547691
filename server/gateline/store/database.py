"""One SQLite database for each workspace, in the user's state folder.

Several servers and command lines use it at a time. Every write is one immediate transaction: a deferred one
that has read already cannot wait for another writer's end, and fails at once. A file that is damaged is set
aside, and a file of a newer gateline is only read.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gateline.store.journal import write_ahead
from gateline.store.migrations import MIGRATIONS

log = logging.getLogger(__name__)

_PATIENCE = 5.0
"""Seconds to wait for another process's transaction."""
_DAMAGED = ("malformed", "not a database", "disk image")
"""What SQLite says of a file that it cannot use."""
_SIDES = ("", "-wal", "-shm")


class StoreError(Exception):
    """The store cannot be used; the message says why and what to do."""


class ReadOnlyStoreError(StoreError):
    """A newer gateline has written the store: this one reads it, and writes nothing."""


class Database:
    """A connection that threads may share. All methods but `close` raise StoreError."""

    def __init__(self, file: Path, patience: float = _PATIENCE) -> None:
        """Open the file or make it, waiting up to `patience` seconds for others. Raises StoreError."""
        self.file = file
        self._patience = patience
        self.set_aside: Path | None = None
        """Where a damaged file went that was found here."""
        self.read_only = False
        self._lock = threading.RLock()
        self._connection = self._opened()

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._lock, self._told():
            return self._connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One transaction that only reads: all of its queries see the same."""
        with self._lock, self._told():
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                self._connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction, undone by an exception. `durable`: it survives a power cut as soon as it is done.

        Raises ReadOnlyStoreError for a store of a newer gateline.
        """
        if self.read_only:
            raise ReadOnlyStoreError(
                f"{self.file} was written by a newer gateline: update this one to write to it"
            )
        with self._lock, self._told():
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def size(self) -> int:
        """Bytes on disk."""
        return sum(_size(Path(f"{self.file}{side}")) for side in _SIDES)

    def shrink(self) -> None:
        """Give freed pages back to the disk."""
        with self._lock, self._told():
            # `execute` would free one page: it takes a step of a statement that has no rows.
            self._connection.executescript("PRAGMA incremental_vacuum")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()

    def _opened(self) -> sqlite3.Connection:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            try:
                return self._ready()
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self.set_aside = self._put_aside(error)
                return self._ready()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"{self.file} cannot be used: {error}; nothing is recorded until that is fixed"
            ) from error

    def _ready(self) -> sqlite3.Connection:
        connection = _connect(self.file, self._patience)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            # Reads every page of the schema: a damaged file says so here.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if version > len(MIGRATIONS):
                connection.close()
                self.read_only = True
                return _connect(self.file, self._patience, read_only=True)
            if version < len(MIGRATIONS):
                self._migrate(connection, version)
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self, connection: sqlite3.Connection, version: int) -> None:
        if version:
            self._keep(connection, version)
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated while this one waited.
            begin = connection.execute("PRAGMA user_version").fetchone()[0]
            for script in MIGRATIONS[begin:]:
                for statement in script:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {max(begin, len(MIGRATIONS))}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def _keep(self, connection: sqlite3.Connection, version: int) -> None:
        """Copy the database beside itself, unless another process has migrated it by now."""
        copy = self.file.with_name(f"{self.file.name}.version-{version}")
        # Two processes may copy at a time, and neither may find half of the other's.
        own = copy.with_name(f"{copy.name}.{os.getpid()}")
        own.unlink(missing_ok=True)
        try:
            connection.execute("VACUUM INTO ?", (str(own),))
            with contextlib.closing(sqlite3.connect(own)) as copied:
                as_it_was = copied.execute("PRAGMA user_version").fetchone()[0] == version
            if as_it_was:
                own.replace(copy)
        finally:
            own.unlink(missing_ok=True)

    def _put_aside(self, error: sqlite3.DatabaseError) -> Path:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        aside = self.file.with_name(f"{self.file.name}.damaged-{stamp}")
        for side in _SIDES:
            with contextlib.suppress(FileNotFoundError):
                Path(f"{self.file}{side}").rename(f"{aside}{side}")
        log.warning(
            "%s is damaged (%s): it was kept as %s, and recording begins anew", self.file, error, aside
        )
        return aside

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.file} cannot be used: {error}") from error


def _connect(file: Path, patience: float, *, read_only: bool = False) -> sqlite3.Connection:
    where = f"{file.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(
        where, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
    )
    if not read_only:
        _prepare(connection, patience)
    return connection


def _prepare(connection: sqlite3.Connection, patience: float) -> None:
    try:
        # Before the first page is written, or it has no effect.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
        write_ahead(connection, patience)
        connection.execute("PRAGMA foreign_keys = ON").fetchall()
    except BaseException:
        connection.close()
        raise


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return any(words in str(error) for words in _DAMAGED)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
