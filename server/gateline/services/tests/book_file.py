"""The book on disk: compressed JSON, replaced as a whole. A file that cannot be read is begun anew."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gateline.testing.book import Book
from gateline.testing.coverage_map import Recorded
from gateline.testing.result import Ending, Result
from gateline.testing.trace import Executed, Trace

log = logging.getLogger(__name__)
_EDITION = 2
"""Of the format: another one is not read."""


def save(book: Book, file: Path) -> None:
    """Write the book. An error is logged: the next run measures again."""
    contents: dict[int, Mapping[str, str]] = {id(one.contents): one.contents for one in book.known}
    numbers = {identity: number for number, identity in enumerate(contents)}
    data = {
        "edition": _EDITION,
        "contents": list(contents.values()),
        "texts": [[path, digest, text] for (path, digest), text in book.known.texts.items()],
        "recorded": [_recorded(one, numbers[id(one.contents)]) for one in book.known],
        "openings": book.openings,
        "imported": _imported(book.known.imported),
        "results": [[r.id, r.ending.value, r.seconds, r.memory] for r in book.results.values()],
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, zlib.compress(json.dumps(data).encode(), 1))
    except OSError as error:
        log.warning("what tests execute could not be kept in %s: %s", file, error.strerror)


def load(book: Book, file: Path) -> None:
    """Read into an empty book."""
    try:
        data = json.loads(zlib.decompress(file.read_bytes()))
        if data["edition"] == _EDITION:
            _take(book, data)
    except FileNotFoundError:
        return
    except (OSError, zlib.error, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        log.warning("%s cannot be read, tests are measured again: %r", file, error)


def _take(book: Book, data: Mapping[str, Any]) -> None:
    recorded = [_of(row, data["contents"]) for row in data["recorded"]]
    results = [Result(row[0], Ending(row[1]), row[2], row[3]) for row in data["results"]]
    openings = {str(test): float(seconds) for test, seconds in data.get("openings", {}).items()}
    texts = {(path, digest): text for path, digest, text in data["texts"]}
    # All is read before anything is taken: half a book would be believed.
    book.known.restore(recorded, texts)
    book.results |= {result.id: result for result in results}
    book.openings |= openings
    if imported := data.get("imported"):
        book.imported = _of(imported[0], [imported[1]])


def _imported(one: Recorded | None) -> list[Any] | None:
    return None if one is None else [_recorded(one, 0), dict(one.contents)]


def _recorded(one: Recorded, number: int) -> list[Any]:
    files = {
        path: [
            executed.digest,
            f"{executed.lines:x}",
            None if executed.arcs is None else sorted(executed.arcs),
        ]
        for path, executed in one.trace.files.items()
    }
    return [
        one.trace.test,
        number,
        files,
        sorted(one.trace.read),
        one.trace.programs,
        one.measured,
        one.trace.contents,
    ]


def _of(row: list[Any], contents: list[dict[str, str]]) -> Recorded:
    test, number, files, read, programs, measured, inside = row
    executed = {
        path: Executed(digest, int(lines, 16), None if arcs is None else frozenset((a, b) for a, b in arcs))
        for path, (digest, lines, arcs) in files.items()
    }
    return Recorded(Trace(test, executed, frozenset(read), programs, inside), contents[number], measured)


def _replace(file: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
