"""Which tests execute a symbol, by what was measured when they ran. Nothing is run for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.context.chunking.cutting import cut
from gateline.model import Document

if TYPE_CHECKING:
    from gateline.testing.coverage_map import CoverageMap, Recorded

TestName = tuple[str, str]
"""The path of a test's file, and the qualified name of the test there."""
_MOST = 20


class Executing:
    """Asks the book that the test runner keeps; one that was written meanwhile is read again."""

    def __init__(self, file: Path | None) -> None:
        """`file` is where the book is kept; None where there is none."""
        self._file = file
        self._read = lru_cache(maxsize=1)(_book)

    def of(self, path: str, name: str) -> Mapping[TestName, float]:
        """The tests that execute a definition: the less else one executes, the nearer to 1. Blocks."""
        file = self._file
        try:
            stamp = file.stat().st_mtime_ns if file is not None else None
        except OSError:
            stamp = None
        if file is None or stamp is None:
            return {}
        known = self._read(file, stamp)
        found = [one for one in known if _executes(known, one, path, name)]
        sizes = {_name_of(one.trace.test): _size(one) for one in sorted(found, key=_size, reverse=True)}
        least = min(sizes.values(), default=1)
        nearest = sorted(sizes, key=lambda test: (sizes[test], test))[:_MOST]
        return {test: 1 / (1 + log(sizes[test] / least)) for test in nearest}


def _book(file: Path, stamp: int) -> CoverageMap:
    """What is known since `stamp`."""
    # Imported here: where no test was run yet nobody waits for it.
    from gateline.services.tests.book_file import load
    from gateline.testing.book import Book

    book = Book()
    load(book, file)
    return book.known


def _executes(known: CoverageMap, one: Recorded, path: str, name: str) -> bool:
    executed = one.trace.files.get(path)
    if executed is None:
        return False
    text = known.text(path, executed.digest)
    return text is not None and executed.touches(_lines(path, text, name))


@lru_cache(maxsize=64)
def _spans(path: str, text: str) -> Mapping[str, int]:
    """The lines of each definition as it was then, as bits; the first one is executed by an import."""
    return dict(_bodies(path, text))


def _bodies(path: str, text: str) -> Iterator[tuple[str, int]]:
    from gateline.testing.trace import bits_of

    for chunk in cut(Document(path, text)).chunks:
        yield chunk.name, bits_of(range(min(chunk.first + 1, chunk.last), chunk.last + 1))


def _lines(path: str, text: str, name: str) -> int:
    return _spans(path, text).get(name, 0)


def _size(one: Recorded) -> int:
    """How many lines a test executes, at least one."""
    return max(sum(executed.lines.bit_count() for executed in one.trace.files.values()), 1)


def _name_of(test: str) -> TestName:
    """`tests/test_a.py::TestA::test_b[1]` is `TestA.test_b` of `tests/test_a.py`."""
    path, _, name = test.partition("::")
    return path, name.partition("[")[0].replace("::", ".")
