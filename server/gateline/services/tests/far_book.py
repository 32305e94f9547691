"""The far side of the book: compares texts in its own process, because parsing stalls an event loop."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gateline.services import far
from gateline.services.tests.book_file import load, save
from gateline.services.tests.book_requests import (
    BaseTexts,
    Collected,
    Cover,
    CoverBase,
    Known,
    Open,
    Ran,
    Select,
)
from gateline.services.tests.contents import Contents
from gateline.services.tests.overlay import Overlay
from gateline.testing.base_coverage import BaseCoverage
from gateline.testing.book import Book
from gateline.testing.staleness import Now

log = logging.getLogger(__name__)
_PAUSE = 30.0
"""Seconds between two times that the book is written to disk."""


class Keeping:
    """Answers the requests of `services.tests.book_requests`."""

    def __init__(self) -> None:
        self._book = Book()
        self._contents = Contents(Path())
        self._file: Path | None = None
        self._saved = time.monotonic()
        self._files: tuple[str, ...] = ()
        self._is_new = False

    def answer(self, request: Any) -> Iterator[Any]:
        """The parts of the answer to one request."""
        match request:
            case Open():
                yield self._open(request)
            case Collected():
                yield self._collected(request)
            case Ran():
                yield self._ran(request)
            case Known():
                yield tuple(self._book.results.values())
            case Select():
                yield self._book.select(self._asked(request), request.change)
            case BaseTexts() | CoverBase():
                yield self._of_base(request)
            case Cover(select, asked):
                yield self._book.covered(self._asked(select), select.change, asked)
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def _collected(self, request: Collected) -> int:
        collection = request.collection
        self._book.collected(
            collection.items,
            collection.imported,
            collection.files,
            whole=not collection.errors,
            plugins=collection.plugins,
            libraries=collection.libraries,
        )
        self._book.see(self._now(request.overlay))
        return len(self._book.items)

    def _of_base(self, request: BaseTexts | CoverBase) -> Mapping[str, str] | BaseCoverage:
        texts = request.texts if isinstance(request, CoverBase) else request
        base = self._contents.now(self._book.paths(), texts.overlay, texts.files)
        told = self._book.of_base(base)
        return told.coverage(request.outlines) if isinstance(request, CoverBase) else told.texts()

    def close(self) -> None:
        """Write what is not written yet."""
        if self._is_new and self._file is not None:
            save(self._book, self._file)
            self._is_new, self._saved = False, time.monotonic()

    def _open(self, request: Open) -> int:
        self._contents = Contents(Path(request.root))
        self._file = Path(request.file) if request.file else None
        if self._file is not None:
            load(self._book, self._file)
        return len(self._book.results)

    def _ran(self, request: Ran) -> int:
        run = request.run
        self._book.ran(run.results, run.traces, run.contents, run.opening)
        self._book.see(self._now(request.overlay))
        self._is_new = True
        if time.monotonic() - self._saved > _PAUSE:
            self.close()
        return len(self._book.results)

    def _asked(self, select: Select) -> Now:
        self._files = select.files
        return self._contents.now(self._book.paths(), select.overlay, select.files)

    def _now(self, overlay: Overlay) -> Now:
        return self._contents.now({*self._files, *self._book.paths()}, overlay)


if __name__ == "__main__":
    keeping = Keeping()
    try:
        far.serve(keeping.answer)
    finally:
        keeping.close()
