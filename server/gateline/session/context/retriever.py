"""Finds what one needs in view, in one workspace: keeps the index fresh and answers from it.

Everything here blocks, and may be called from several threads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING

from cachetools import LRUCache

from gateline.context import search
from gateline.context.arrays import Scores
from gateline.context.chunking.cutting import cut, prepare
from gateline.context.index import Index
from gateline.context.packing import packed
from gateline.context.resolved import NOTHING, Places, Resolved
from gateline.context.resolved import TIER as RESOLVED
from gateline.context.search import Vector, without_vector
from gateline.context.static import TIER as STATIC
from gateline.context.values import Answer, Hit, Question
from gateline.model import Document
from gateline.session.context.data import shipped_table, shipped_weights
from gateline.session.context.files import ContextFiles, Stamp, laid_over
from gateline.session.context.passages import REMEMBERED, passages
from gateline.session.context.secrets import Secrets, covered
from gateline.session.context.store import ContextStore, Status, Stored, UnusableError

if TYPE_CHECKING:
    from gateline.context.filling import Filling
    from gateline.session.context.cutter import Read

_AT_ONCE = 400
"""Files that are cut before the index takes them: what there is can be asked meanwhile."""
_VECTORS_AT_ONCE = 2_000
"""Vectors of a table that are made before the next question is heard: less than a tenth of a second."""
_LOOKED_THROUGH_AT_ONCE = 4
"""Files that are looked through for secrets before the next question is heard."""
_BEING_MADE = "its vectors are being made"
_ROUNDS = 3
"""How often a question is asked again when files have changed under it."""

Tell = Callable[[int, int], None]
"""Takes how many files are done, and how many there are."""


@dataclass
class Retrieval:
    """The index of a workspace, and the answers from it."""

    files: ContextFiles
    store: ContextStore
    ranker: search.Ranker = field(default_factory=lambda: search.Ranker(shipped_weights(), shipped_table()))
    together: Callable[[str], Mapping[str, float]] = lambda path: {}
    """By path, how often other files changed with one, from 0 to 1; may block."""
    executing: Callable[[str, str], Mapping[tuple[str, str], float]] = lambda path, name: {}
    """The tests that execute a definition, by its path and qualified name; may block."""
    message: str = ""
    _index: Index = field(default_factory=Index)
    _stamps: dict[str, Stamp] = field(default_factory=dict)
    _buffers: dict[str, Document] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)
    _texts: LRUCache[str, Document | None] = field(default_factory=lambda: LRUCache(REMEMBERED))
    _unsaved: bool = False
    _filling: Filling | None = None
    _is_filled: bool = False
    _secrets: Secrets = field(default_factory=Secrets)

    def load(self) -> None:
        """Take up what was stored, if it can be used; `message` says if it cannot."""
        with self._lock:
            try:
                stored = self.store.load()
            except UnusableError as error:
                self.message = f"{error}; it is made anew"
                self.store.drop()
                return
            if stored is None:
                return
            self._take(stored)

    def look(self, buffers: Mapping[str, Document] | None = None) -> list[str]:
        """Look at all files, and at the open buffers; those to `update`, what is wanted soonest first.

        What is gone is forgotten.
        """
        laid = laid_over(self.files, buffers or {})
        paths = self.files.paths()
        with self._lock:
            self._buffers = laid
            self._forget(set(self._index.files) - set(paths) - set(laid))
            stale = [path for path in {*paths, *laid} if self._is_stale(path)]
        return sorted(stale, key=self.files.urgency(laid))

    def refresh(self, buffers: Mapping[str, Document] | None = None, tell: Tell | None = None) -> int:
        """The same, update them and `fill`; how many had changed."""
        before = len(self._index.files)
        stale = self.look(buffers)
        changed = before - len(self._index.files)
        for start in range(0, len(stale), _AT_ONCE):
            changed += self.update(stale[start : start + _AT_ONCE])
            if tell is not None:
                tell(min(start + _AT_ONCE, len(stale)), len(stale))
        self.fill(sys.maxsize)
        return changed

    def fill(self, most: int = _VECTORS_AT_ONCE) -> int:
        """Make some vectors of an index that is new, and what edits need; how many vectors are left.

        Questions need not wait for it.
        """
        from gateline.context.filling import Filling

        prepare()
        with self._lock:
            table = self.ranker.table
            if table is None or self._is_filled:
                return 0
            self._filling = self._filling or Filling(self._index, STATIC, table.of)
            left = self._filling.step(most)
            if not left:
                self._filling, self._is_filled = None, True
            return left

    def look_through(self, most: int = _LOOKED_THROUGH_AT_ONCE) -> int:
        """Find out which lines of some files hold a secret; how many files are left."""
        with self._lock:
            turn = self._secrets.turn(self._index.files, most)
            for path in turn:
                self._secrets.look(self._index.files[path], self._read(path)[0])
            self._unsaved |= bool(turn)
            return self._secrets.waiting(self._index.files)

    def open(self, document: Document) -> None:
        """A buffer was opened or edited: from now on its text counts, not the file's."""
        with self._lock:
            self._buffers |= laid_over(self.files, {document.path: document})
            self.update([document.path])

    def close(self, path: str) -> None:
        """A buffer was closed: from now on the file's text counts."""
        with self._lock:
            self._buffers.pop(path, None)
            self._stamps.pop(path, None)
            self.update([path])

    def update(self, paths: Iterable[str]) -> int:
        """Read these files again; how many had changed. One that is gone is forgotten."""
        asked = list(paths)
        read = {path: self._read(path) for path in asked}
        with self._lock:
            known = self._index.files
            self._forget(path for path, (document, _) in read.items() if document is None)
            news = [
                document
                for path, (document, _) in read.items()
                if document is not None and (path not in known or known[path].digest != document.digest)
            ]
            self._stamps |= {path: stamp for path, (_, stamp) in read.items() if stamp is not None}
            self._index.replace([cut(document) for document in news])
            self._unsaved |= bool(read)
            return len(news)

    def take(self, read: Iterable[Read]) -> None:
        """Files that were read and cut elsewhere. What is open counts as it is in the editor."""
        with self._lock:
            given = {path: (made, stamp) for path, made, stamp in read}
            self.update(path for path in given if path in self._buffers)
            found = {path: one for path, one in given.items() if path not in self._buffers}
            self._forget(path for path, (made, _) in found.items() if made is None)
            self._stamps |= {path: stamp for path, (_, stamp) in found.items() if stamp is not None}
            self._index.replace([made for made, _ in found.values() if made is not None])
            self._unsaved |= bool(found)

    def search(self, question: Question, budget: int, vector: Vector = without_vector) -> Answer:
        """The passages for a question, in at most `budget` tokens, from the texts as they are now."""
        return self._fresh(lambda: self._found(question, vector), budget)

    def places(self, path: str, line: int, column: int | None = None) -> Places | None:
        """What is to be resolved for a zero-based place of a file; None for nothing."""
        from gateline.context import sites

        with self._lock:
            self.update([path])
            return sites.places(self._index.view(), path, line, column, self._text)

    def for_position(
        self,
        path: str,
        line: int,
        budget: int,
        column: int | None = None,
        resolved: Resolved = NOTHING,
    ) -> Answer:
        """What one needs in view at zero-based `line` of a file, perhaps with what names there mean."""
        # Imported here: who asks in words does not wait for it.
        from gateline.context import position

        document, _ = self._read(path)
        together = self.together(path)
        text = document.text if document else ""
        with self._lock:
            self.update([path])
            view = self._index.view()
            row = view.at(path, line) if view.segments else None
            name = view.chunk(row).name if row is not None else ""
        executing = self.executing(path, name)

        def ask() -> tuple[list[Hit], tuple[str, ...]]:
            place = position.Place(path, line, text, together, executing, column, resolved)
            return position.around(self._index.view(), place, self.ranker)

        answer = self._fresh(ask, budget)
        missing = {RESOLVED: resolved.missing} if resolved.missing else {}
        return replace(answer, degraded={**answer.degraded, **missing})

    def missing(self, tier: str) -> dict[str, str]:
        """The texts that have no vector of a tier, by their keys."""
        with self._lock:
            return self._index.missing(tier)

    def without(self, tier: str) -> int:
        """How many chunks have no vector of a tier."""
        with self._lock:
            return self._index.view().without_vector(tier)

    def supply(self, tier: str, vectors: Mapping[str, Scores]) -> None:
        """Vectors of length 1 for texts, by their keys."""
        with self._lock:
            self._index.supply(tier, vectors)
            self._unsaved = True

    def status(self) -> Status:
        """How the index stands."""
        with self._lock:
            view, files = self._index.view(), len(self._index.files)
            tiers = {tier: count for tier in ("static", "semantic") if (count := view.with_vector(tier))}
            return Status(files, view.count, tiers, self.store.size, self.store.folder, self.message)

    def save(self) -> None:
        """Write the index if anything changed; a disk that does not take it is told in `message`."""
        with self._lock:
            if not self._unsaved:
                return
            self.fill(sys.maxsize)
            on_disk = {path: stamp for path, stamp in self._stamps.items() if path not in self._buffers}
            secrets = self._secrets.known(self._index.files)
            try:
                self.store.save(Stored(self._index, on_disk, self._table_name, secrets))
                self._unsaved = False
            except OSError as error:
                self.message = f"the index cannot be kept in {self.store.folder}: {error.strerror}"

    def _found(self, question: Question, vector: Vector) -> tuple[list[Hit], tuple[str, ...]]:
        view = self._index.view()
        if not view.segments:
            return [], ("symbols", "lexical")
        found = search.ranked(view, question, self.ranker, vector)
        return search.hits(view, found, found.rows[: question.limit]), found.tiers

    def _fresh(self, ask: Callable[[], tuple[list[Hit], tuple[str, ...]]], budget: int) -> Answer:
        """Ask until no file has changed since it was cut: nothing old is shown as if it were new."""
        for _ in range(_ROUNDS):
            with self._lock:
                hits, tiers = ask()
                documents = {path: self._now(path) for path in {hit.path for hit in hits}}
                stale = {h.path for h in hits if (d := documents[h.path]) is None or d.digest != h.digest}
                if not stale:
                    break
                self.update(stale)
        current = {path: document for path, document in documents.items() if document and path not in stale}
        answer = covered(packed(passages(hits, current), budget, tiers), self._secrets.known(current))
        waits = self.ranker.table is not None and not self._is_filled
        return replace(answer, degraded={STATIC: _BEING_MADE}) if waits else answer

    def _take(self, stored: Stored) -> None:
        """Go on with what was stored. Vectors of another table are made anew."""
        self._index, self._stamps = stored.index, dict(stored.stamps)
        self._secrets = Secrets.restored(self._index.files, stored.secrets)
        if self.ranker.table is not None:
            self._index.fill(STATIC, self.ranker.table.of, are_made=stored.table == self._table_name != "")
            self._is_filled = True

    @property
    def _table_name(self) -> str:
        return self.ranker.table.name if self.ranker.table is not None else ""

    def _now(self, path: str) -> Document | None:
        """What stands in a file now. One that was not written since it was read is not read again."""
        stamp = self._stamps.get(path)
        if path in self._buffers or stamp is None or stamp != self.files.stamp(path):
            return self._read(path)[0]
        held = self._texts.get(path)
        if held is None or held.digest != self._index.files[path].digest:
            held = self._texts[path] = self.files.read(path)
        return held

    def _text(self, path: str) -> str | None:
        document = self._now(path)
        return document.text if document is not None else None

    def _read(self, path: str) -> tuple[Document | None, Stamp | None]:
        if path in self._buffers:
            return self._buffers[path], None
        return self.files.settled(path)

    def _is_stale(self, path: str) -> bool:
        if path in self._buffers:
            known = self._index.files.get(path)
            return known is None or known.digest != self._buffers[path].digest
        stamp = self._stamps.get(path)
        return stamp is None or stamp != self.files.stamp(path)

    def _forget(self, paths: Iterable[str]) -> None:
        gone = list(paths)
        self._index.remove(gone)
        for path in gone:
            self._stamps.pop(path, None)
            self._secrets.forget(path)
