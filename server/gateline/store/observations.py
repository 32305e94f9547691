"""Counters and histograms of a workspace, which only grow, and how far their sources were counted.

What they count is recorded elsewhere and deleted in time; what was counted stays.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gateline.store.database import Database


@dataclass(frozen=True, slots=True)
class Series:
    """One counter or histogram with its labels."""

    name: str
    labels: Mapping[str, str]
    count: int
    total: float
    """The sum of all values; of a counter what it counts."""
    buckets: tuple[int, ...] = ()
    """Values of each bucket, not of those below; the last is of what is above all bounds."""


class Observations:
    """Adds and reads; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def counting(self) -> Iterator[Counting]:
        """One transaction: what is read in it from the sources and where they were left fit together."""
        with self._database.writing() as connection:
            counting = Counting(connection)
            yield counting
            counting.write()

    def all(self) -> list[Series]:
        """Everything that was counted, by name and labels."""
        query = "SELECT name, labels, count, total, buckets FROM observations ORDER BY name, labels"
        return [
            Series(name, json.loads(labels), count, total, tuple(json.loads(buckets)))
            for name, labels, count, total, buckets in self._database.rows(query)
        ]

    def sources(self) -> frozenset[str]:
        """What was counted at least in part."""
        return frozenset(row[0] for row in self._database.rows("SELECT source FROM counted"))


class Counting:
    """A transaction that counts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._known: dict[tuple[str, str], tuple[int, float, list[int]]] = {}
        """What was read or counted in it, by name and labels."""

    def add(
        self, name: str, labels: Mapping[str, str], value: float = 1.0, bounds: Sequence[float] = ()
    ) -> None:
        """Count a value; with upper `bounds` of buckets, ascending, of a histogram."""
        key = (name, json.dumps(dict(labels), sort_keys=True))
        count, total, buckets = self._known.get(key) or self._read(key)
        if bounds:
            # Other bounds than they were: what was counted before stays in the sum alone.
            buckets = buckets if len(buckets) == len(bounds) + 1 else [0] * (len(bounds) + 1)
            buckets[bisect_left(bounds, value)] += 1
        self._known[key] = count + 1, total + value, buckets

    def write(self) -> None:
        """Write what was counted."""
        self.connection.executemany(
            "INSERT OR REPLACE INTO observations (name, labels, count, total, buckets)"
            " VALUES (?, ?, ?, ?, ?)",
            [(*key, count, total, json.dumps(rows)) for key, (count, total, rows) in self._known.items()],
        )

    def _read(self, key: tuple[str, str]) -> tuple[int, float, list[int]]:
        row = self.connection.execute(
            "SELECT count, total, buckets FROM observations WHERE name = ? AND labels = ?", key
        ).fetchone()
        return (row[0], row[1], json.loads(row[2])) if row else (0, 0.0, [])

    def place(self, source: str) -> int:
        """Up to which number a source was counted; 0: not at all."""
        row = self.connection.execute("SELECT number FROM counted WHERE source = ?", (source,)).fetchone()
        return int(row[0]) if row else 0

    def counted(self, source: str, number: int = 1) -> None:
        """A source was counted up to a number."""
        self.connection.execute(
            "INSERT OR REPLACE INTO counted (source, number) VALUES (?, ?)", (source, number)
        )
