"""The lessons of a workspace with all of their versions, their words for full-text search, and their uses."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gateline.memory.lesson import Anchor, Lesson, Note, Source, Version
from gateline.memory.wording import digest_of, stems
from gateline.store.database import Database

_NOTE = "text, tags, file, symbol, rule, source, detail"
_COLUMNS = f"number, id, version, created_at, updated_at, uses, helped, {_NOTE}"
_USES_KEPT = 20_000
"""So many are kept of a workspace; the sums of each lesson stay."""
_SCORED = 1_000
"""Lessons that are scored by words at most, where the rarest word is not in more."""
_SHORT = 4
"""Bytes of an identifier."""

Vectors = Mapping[str, bytes]
"""By what made it, the direction of a text: a byte with a sign for each number."""


@dataclass(frozen=True, slots=True)
class Row:
    """A lesson as it is stored."""

    number: int
    lesson: Lesson


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since an edition of the memory."""

    edition: int
    deletions: int
    rows: tuple[Row, ...]


class Lessons:
    """Reads and writes; every method raises StoreError.

    What is read within `writing` is as it will be written to: nobody else writes meanwhile.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Writing]:
        """One transaction, undone by an exception. `durable`: it survives a power cut once it is done."""
        with self._database.writing(durable=durable) as connection:
            yield Writing(connection)

    def all(self) -> list[Row]:
        """All lessons, oldest first."""
        return self._rows("ORDER BY number")

    def count(self) -> int:
        """How many lessons there are."""
        return int(self._database.rows("SELECT count(*) FROM lessons")[0][0])

    def changes(self, edition: int) -> Changes:
        """What changed since `edition`, which is 0 for who has seen nothing."""
        now, deletions = self._database.rows("SELECT edition, deletions FROM memory")[0]
        rows = self._rows("WHERE changed > ? ORDER BY number", edition) if now > edition else []
        return Changes(now, deletions, tuple(rows))

    def numbered(self, numbers: Iterable[int]) -> dict[int, Lesson]:
        """Lessons by their numbers."""
        wanted = list(numbers)
        marks = ", ".join("?" * len(wanted))
        return {row.number: row.lesson for row in self._rows(f"WHERE number IN ({marks})", *wanted)}

    def beginning(self, name: str) -> list[Row]:
        """The lessons whose identifier is or begins with `name`."""
        escaped = name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return self._rows("WHERE id LIKE ? ESCAPE '\\' ORDER BY number", f"{escaped}%")

    def of_content(self, text: str) -> list[Row]:
        """The lessons of the same normalised content."""
        return self._rows("WHERE digest = ? ORDER BY number", digest_of(text))

    def at(self, anchor: Anchor, most: int) -> list[int]:
        """The numbers of the newest lessons about a file, a symbol or a rule that an anchor names."""
        named = {"file": anchor.file, "symbol": anchor.symbol, "rule": anchor.rule}
        wanted = {name: value for name, value in named.items() if value}
        where = " OR ".join(f"{name} = ?" for name in wanted)
        rows = self._database.rows(
            f"SELECT number FROM lessons WHERE {where} ORDER BY number DESC LIMIT ?", (*wanted.values(), most)
        )
        return [int(number) for (number,) in rows]

    def tagged(self, tags: Sequence[str], most: int) -> list[Lesson]:
        """The newest lessons that have one of some tags."""
        marks = ", ".join("?" * len(tags))
        where = f"EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN ({marks}))"
        rows = self._rows(f"WHERE {where} ORDER BY updated_at DESC LIMIT ?", *tags, most)
        return [row.lesson for row in rows]

    def about(self, files: Sequence[str], most: int) -> list[Lesson]:
        """The newest lessons about some files."""
        marks = ", ".join("?" * len(files))
        rows = self._rows(f"WHERE file IN ({marks}) ORDER BY updated_at DESC LIMIT ?", *files, most)
        return [row.lesson for row in rows]

    def matching(self, words: Sequence[str], most: int) -> list[tuple[int, float]]:
        """The numbers of the lessons that have some of these words, best first, and how well they match.

        The second is the negative of SQLite's bm25: more is better.
        """
        if not words:
            return []
        rare = self._rarest(list(dict.fromkeys(words)))
        query = " OR ".join(f'"{word}"' for word in rare)
        found = self._database.rows(
            "SELECT rowid, -bm25(lesson_words) FROM lesson_words WHERE lesson_words MATCH ?"
            " ORDER BY rank LIMIT ?",
            (query, most),
        )
        return [(int(number), float(score)) for number, score in found]

    def _rarest(self, words: Sequence[str]) -> list[str]:
        """The rarest of some words: all lessons that have one are scored, and common ones tell little."""
        marks = ", ".join("?" * len(words))
        found = self._database.rows(f"SELECT term, doc FROM lesson_terms WHERE term IN ({marks})", words)
        chosen: list[str] = []
        lessons = 0
        for term, count in sorted(found, key=lambda row: (row[1], row[0])):
            lessons += count
            if chosen and lessons > _SCORED:
                break
            chosen.append(term)
        return chosen or list(words[:1])

    def versions(self, number: int) -> list[Version]:
        """All versions of a lesson, oldest first."""
        rows = self._database.rows(
            f"SELECT version, at, reason, {_NOTE} FROM lesson_versions WHERE lesson = ? ORDER BY version",
            (number,),
        )
        return [
            Version(version, datetime.fromisoformat(at), _note(rest), reason)
            for version, at, reason, *rest in rows
        ]

    def vectors(self, maker: str, edition: int = 0) -> list[tuple[int, bytes]]:
        """The vectors that `maker` made, of the lessons that changed since an edition."""
        query = (
            "SELECT lesson, vector FROM lesson_vectors JOIN lessons ON number = lesson"
            " WHERE maker = ? AND changed > ?"
        )
        return [
            (int(number), bytes(vector)) for number, vector in self._database.rows(query, (maker, edition))
        ]

    def without_vector(self, maker: str, most: int) -> list[tuple[int, int, str]]:
        """Lessons that `maker` has no vector of: number, version and text."""
        query = (
            "SELECT number, version, text FROM lessons WHERE NOT EXISTS"
            " (SELECT 1 FROM lesson_vectors WHERE lesson = number AND maker = ?) LIMIT ?"
        )
        return [
            (int(n), int(version), str(text))
            for n, version, text in self._database.rows(query, (maker, most))
        ]

    def _rows(self, where: str, *values: object) -> list[Row]:
        found = self._database.rows(f"SELECT {_COLUMNS} FROM lessons {where}", values)
        return [_row(row) for row in found]


class Writing:
    """A transaction that changes lessons."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def create(self, note: Note, at: datetime, vectors: Vectors, name: str = "") -> Lesson:
        """A new lesson. `name` is its identifier where it comes from elsewhere."""
        made = name or secrets.token_hex(_SHORT)
        done = self._connection.execute(
            f"INSERT INTO lessons (id, version, digest, changed, created_at, updated_at, {_NOTE})"
            f" VALUES ({', '.join('?' * 13)})",
            (made, 1, digest_of(note.text), self._edition(), _text(at), _text(at), *_columns(note)),
        )
        number = done.lastrowid
        assert number is not None, "a row was inserted"
        self._add_version(number, Version(1, at, note))
        self._index(number, note, vectors)
        return Lesson(made, 1, note, at, at)

    def supersede(self, row: Row, note: Note, at: datetime, vectors: Vectors, reason: str) -> Lesson:
        """A new version of a lesson; the old one is kept beside it."""
        version = row.lesson.version + 1
        self._connection.execute(
            "UPDATE lessons SET version = ?, digest = ?, changed = ?, updated_at = ?, text = ?, tags = ?,"
            " file = ?, symbol = ?, rule = ?, source = ?, detail = ? WHERE number = ?",
            (version, digest_of(note.text), self._edition(), _text(at), *_columns(note), row.number),
        )
        self._add_version(row.number, Version(version, at, note, reason))
        self._index(row.number, note, vectors)
        kept = row.lesson
        return Lesson(kept.id, version, note, kept.created_at, at, kept.uses, kept.helped)

    def restore(self, number: int, versions: Sequence[Version]) -> None:
        """The versions that a lesson had elsewhere, in place of those that it has."""
        self._connection.execute("DELETE FROM lesson_versions WHERE lesson = ?", (number,))
        for version in versions:
            self._add_version(number, version)
        self._connection.execute(
            "UPDATE lessons SET version = ?, created_at = ?, updated_at = ? WHERE number = ?",
            (versions[-1].number, _text(versions[0].at), _text(versions[-1].at), number),
        )

    def forget(self, numbers: Iterable[int]) -> None:
        """Delete lessons with all of their versions and uses."""
        for number in numbers:
            self._connection.execute("DELETE FROM lesson_words WHERE rowid = ?", (number,))
            self._connection.execute("DELETE FROM lessons WHERE number = ?", (number,))
        self._edition()
        self._connection.execute("UPDATE memory SET deletions = deletions + 1")

    def use(self, names: Sequence[str], at: datetime, operation: str, branch: str) -> None:
        """Note that lessons were handed out, by their identifiers; of a deleted one nothing is."""
        self._connection.executemany(
            "INSERT INTO lesson_uses (lesson, at, operation, branch)"
            " SELECT number, ?, ?, ? FROM lessons WHERE id = ?",
            [(_text(at), operation, branch, name) for name in names],
        )
        self._connection.executemany(
            "UPDATE lessons SET uses = uses + 1 WHERE id = ?", [(name,) for name in names]
        )
        self._connection.execute(
            "DELETE FROM lesson_uses WHERE number <= (SELECT max(number) FROM lesson_uses) - ?", (_USES_KEPT,)
        )

    def helped(self, numbers: Iterable[int]) -> None:
        """Note that lessons helped."""
        self._connection.executemany(
            "UPDATE lessons SET helped = helped + 1 WHERE number = ?", [(number,) for number in numbers]
        )

    def supply(self, maker: str, made: Iterable[tuple[int, int, bytes]]) -> None:
        """Vectors of lessons, by number and version; of a version that was superseded none is kept."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO lesson_vectors (lesson, maker, vector)"
            " SELECT number, ?, ? FROM lessons WHERE number = ? AND version = ?",
            [(maker, vector, number, version) for number, version, vector in made],
        )

    def _edition(self) -> int:
        self._connection.execute("UPDATE memory SET edition = edition + 1")
        return int(self._connection.execute("SELECT edition FROM memory").fetchone()[0])

    def _add_version(self, number: int, version: Version) -> None:
        self._connection.execute(
            f"INSERT INTO lesson_versions (lesson, version, at, reason, {_NOTE})"
            f" VALUES ({', '.join('?' * 11)})",
            (number, version.number, _text(version.at), version.reason, *_columns(version.note)),
        )

    def _index(self, number: int, note: Note, vectors: Vectors) -> None:
        words = " ".join(words_of(note))
        self._connection.execute("DELETE FROM lesson_words WHERE rowid = ?", (number,))
        self._connection.execute("INSERT INTO lesson_words (rowid, words) VALUES (?, ?)", (number, words))
        self._connection.execute("DELETE FROM lesson_vectors WHERE lesson = ?", (number,))
        self._connection.executemany(
            "INSERT INTO lesson_vectors (lesson, maker, vector) VALUES (?, ?, ?)",
            [(number, maker, vector) for maker, vector in vectors.items()],
        )


def words_of(note: Note) -> list[str]:
    """The words by which a lesson is found: those of its text, its tags and its anchor."""
    anchor = note.anchor
    return stems(" ".join((note.text, *note.tags, anchor.file, anchor.symbol, anchor.rule)))


def _columns(note: Note) -> tuple[str, ...]:
    anchor = note.anchor
    tags, detail = json.dumps(list(note.tags)), json.dumps(dict(note.detail), sort_keys=True)
    return note.text, tags, anchor.file, anchor.symbol, anchor.rule, str(note.source), detail


def _note(row: Sequence[Any]) -> Note:
    text, tags, file, symbol, rule, source, detail = row
    anchor = Anchor(file, symbol, rule)
    return Note(text, tuple(json.loads(tags)), anchor, Source(source), json.loads(detail))


def _row(row: tuple[Any, ...]) -> Row:
    number, name, version, created, updated, uses, helped, *rest = row
    at = (datetime.fromisoformat(created), datetime.fromisoformat(updated))
    return Row(number, Lesson(name, version, _note(rest), *at, uses, helped))


def _text(at: datetime) -> str:
    """Sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
