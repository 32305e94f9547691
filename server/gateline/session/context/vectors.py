"""Vectors of texts, kept by the texts' own names: a branch switch, or a kill, costs no embedding.

Several servers may use the file at a time. What is damaged, or of other weights, is dropped and made anew.
Above a bound, those go first that nobody asked for the longest.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from gateline.context.arrays import Scores
from gateline.store.journal import write_ahead

FILE = "vectors.sqlite"
FORMAT = 2
MOST = 200_000
"""Vectors that are kept: of 384 numbers they take about 170 MB."""
_DAY = 86_400
_AT_ONCE = 500
"""Keys of one query."""
_PATIENCE = 2.0
"""Seconds to wait for another process's transaction."""
_SIDES = ("", "-wal", "-shm")


class Vectors:
    """The vectors that one model made. All methods block. What fails is told in `message`, not raised."""

    def __init__(
        self, file: Path, model: str, most: int = MOST, now: Callable[[], float] = time.time
    ) -> None:
        """Above `most` vectors the oldest go; `now` gives seconds since 1970."""
        self.file, self.model = file, model
        self.message = ""
        self._most, self._now = most, now
        self._connection = self._opened()

    def get(self, keys: Iterable[str]) -> dict[str, Scores]:
        """The vectors that are kept of these keys."""
        if self._connection is None:
            return {}
        wanted = list(keys)
        rows: list[tuple[str, bytes]] = []
        with self._said("read"):
            for start in range(0, len(wanted), _AT_ONCE):
                some = wanted[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
                rows += self._connection.execute(query, some).fetchall()
            self._asked_for([key for key, _ in rows])
        return {key: np.frombuffer(vector, np.float16).astype(np.float32) for key, vector in rows}

    def put(self, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors: floats of two bytes."""
        if self._connection is None:
            return
        with self._said("kept"), self._connection:
            rows = ((key, vector, self._today) for key, vector in vectors.items())
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @property
    def _today(self) -> int:
        return int(self._now() // _DAY)

    def _asked_for(self, keys: Sequence[str]) -> None:
        """Remember the day, once a day for each. Nothing is lost where that cannot be written."""
        assert self._connection is not None, "read from"
        today = self._today
        with contextlib.suppress(sqlite3.Error), self._connection:
            self._connection.executemany(
                "UPDATE vectors SET used = ? WHERE key = ? AND used < ?",
                ((today, key, today) for key in keys),
            )

    def _prune(self, connection: sqlite3.Connection) -> None:
        held = int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
        if held > self._most:
            oldest = "SELECT key FROM vectors ORDER BY used, key LIMIT ?"
            connection.execute(f"DELETE FROM vectors WHERE key IN ({oldest})", (held - self._most,))

    @contextlib.contextmanager
    def _said(self, done: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self.message = f"vectors cannot be {done} in {self.file}: {error}"

    def _opened(self) -> sqlite3.Connection | None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            try:
                return self._ready()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self.message = f"the vectors were damaged ({error}); they are made anew"
                for side in _SIDES:
                    Path(f"{self.file}{side}").unlink(missing_ok=True)
                return self._ready()
        except (OSError, sqlite3.Error) as error:
            self.message = f"vectors cannot be kept in {self.file}: {error}"
            return None

    def _ready(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, timeout=_PATIENCE, check_same_thread=False)
        try:
            write_ahead(connection, _PATIENCE)
            with connection:
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Tables as this version wants them, without the vectors of other weights."""
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
            for table in ("made_by", "vectors"):
                connection.execute(f"DROP TABLE IF EXISTS {table}")
            connection.execute("CREATE TABLE made_by (model TEXT PRIMARY KEY)")
            columns = "key TEXT PRIMARY KEY, vector BLOB, used INTEGER"
            connection.execute(f"CREATE TABLE vectors ({columns}) WITHOUT ROWID")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        if connection.execute("SELECT model FROM made_by").fetchall() != [(self.model,)]:
            connection.execute("DELETE FROM vectors")
            connection.execute("DELETE FROM made_by")
            connection.execute("INSERT INTO made_by VALUES (?)", (self.model,))
        self._prune(connection)
