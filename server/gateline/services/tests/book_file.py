"""The book on disk: compressed JSON, replaced as a whole. A file that cannot be read is begun anew."""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gateline.atomic_file import replace_file
from gateline.testing.book import Book
from gateline.testing.coverage_map import Recorded
from gateline.testing.history import History
from gateline.testing.result import Ending, Result
from gateline.testing.trace import Executed, Touched, Trace

log = logging.getLogger(__name__)
_EDITION = 3
"""Of the format: another one is not read."""


def save(book: Book, file: Path) -> None:
    """Write the book. An error is logged: the next run measures again."""
    history = book.known.history
    history.forget(one.moment for one in book.known)
    contents: dict[int, Mapping[str, str]] = {id(one.contents): one.contents for one in book.known}
    numbers = {identity: number for number, identity in enumerate(contents)}
    around = {id(one.around): one.around for one in book.known}
    places = {identity: number for number, identity in enumerate(around)}
    data = {
        "edition": _EDITION,
        "contents": list(contents.values()),
        "around": [_modules(one) for one in around.values()],
        "texts": [[path, digest, text] for (path, digest), text in book.known.texts.items()],
        "recorded": [_recorded(one, numbers[id(one.contents)], places[id(one.around)]) for one in book.known],
        "openings": book.openings,
        "history": [history.moment, history.now, history.steps],
        "imported": _imported(book.known.imported),
        "results": [[r.id, r.ending.value, r.seconds, r.memory] for r in book.results.values()],
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, zlib.compress(json.dumps(data).encode(), 1))
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
    around = [_touched(modules) for modules in data["around"]]
    recorded = [_of(row, data["contents"], around) for row in data["recorded"]]
    results = [Result(row[0], Ending(row[1]), row[2], row[3]) for row in data["results"]]
    openings = {str(test): float(seconds) for test, seconds in data.get("openings", {}).items()}
    moment, now, steps = data["history"]
    history = History(dict(now), int(moment), [(when, path, before) for when, path, before in steps])
    texts = {(path, digest): text for path, digest, text in data["texts"]}
    # All is read before anything is taken: half a book would be believed.
    book.known.restore(recorded, texts)
    book.known.history = history
    book.results |= {result.id: result for result in results}
    book.openings |= openings
    if imported := data.get("imported"):
        book.imported = _of(imported[0], [imported[1]], [_touched(imported[2])])


def _imported(one: Recorded | None) -> list[Any] | None:
    return None if one is None else [_recorded(one, 0, 0), dict(one.contents), _modules(one.around)]


def _recorded(one: Recorded, number: int, place: int) -> list[Any]:
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
        one.moment,
        place,
        sorted(one.trace.listed),
        sorted(one.trace.sought),
        _modules(one.trace.modules),
    ]


def _modules(modules: Mapping[str, Touched]) -> dict[str, list[list[str]]]:
    return {path: [sorted(one.read), sorted(one.listed), sorted(one.sought)] for path, one in modules.items()}


def _touched(modules: Mapping[str, list[list[str]]]) -> dict[str, Touched]:
    return {path: Touched(*map(frozenset, found)) for path, found in modules.items()}


def _of(row: list[Any], contents: list[dict[str, str]], around: list[dict[str, Touched]]) -> Recorded:
    test, number, files, read, programs, measured, inside, moment, place, *names = row
    executed = {
        path: Executed(digest, int(lines, 16), None if arcs is None else frozenset((a, b) for a, b in arcs))
        for path, (digest, lines, arcs) in files.items()
    }
    listed, sought, modules = names
    touched = frozenset(listed), frozenset(sought), _touched(modules)
    trace = Trace(test, executed, frozenset(read), programs, inside, *touched)
    return Recorded(trace, contents[number], measured, moment, around[place])
