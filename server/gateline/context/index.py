"""All chunks of a workspace, kept up to date file by file.

A file that changed becomes a small segment of its own, and its old rows die where they are; when many have
died, or there are many segments, they are merged. What is asked then is computed from what lives, so the
answers are those of an index that was made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gateline.context.embedding import embedded_text, key_of
from gateline.context.merging import merged, stacked
from gateline.context.modules import Modules
from gateline.context.segment import File, Mask, Names, Numbers, Scores, Segment, build
from gateline.context.values import Chunk, Cut, Kind
from gateline.context.words import Lexicon

_MOST_SEGMENTS = 8
_LARGEST_TAIL = 0.1
"""Of the first segment: above, all are merged."""


@dataclass(frozen=True)
class View:
    """The living rows of an index at one moment, as columns."""

    segments: tuple[Segment, ...]
    alive: tuple[Mask, ...]
    files: Mapping[str, File]
    lexicon: Lexicon
    names: Names
    modules: Modules
    """Which file a dotted name means."""

    @cached_property
    def first_rows(self) -> list[int]:
        """The row with which each segment begins, and the number of all rows."""
        return [0, *np.cumsum([len(segment) for segment in self.segments]).tolist()]

    def __len__(self) -> int:
        return self.first_rows[-1]

    @cached_property
    def living(self) -> Mask:
        """Which rows count."""
        return np.concatenate([*self.alive, np.zeros(0, np.bool_)])

    @cached_property
    def row_files(self) -> tuple[File, ...]:
        """Files by the numbers in `file_of`; one that was replaced stands here twice."""
        return tuple(file for segment in self.segments for file in segment.files)

    @cached_property
    def folders(self) -> list[str]:
        """The folder of each of these files."""
        return [file.path.rpartition("/")[0] for file in self.row_files]

    @cached_property
    def file_numbers(self) -> dict[str, int]:
        """The newest number of each path."""
        return {file.path: number for number, file in enumerate(self.row_files)}

    @cached_property
    def file_of(self) -> Numbers:
        """The file of each row."""
        firsts = np.cumsum([0, *(len(segment.files) for segment in self.segments)])
        return self._joined([s.file_of + n for s, n in zip(self.segments, firsts[:-1], strict=True)])

    @cached_property
    def kinds(self) -> Numbers:
        """The kind of each row."""
        return self._joined([segment.kinds for segment in self.segments])

    @cached_property
    def name_of(self) -> Numbers:
        """The number of each row's short name."""
        return self._joined([segment.name_of for segment in self.segments])

    @cached_property
    def owner_of(self) -> Numbers:
        """The number of the name of the class around each row; that of "" for none."""
        return self._joined([segment.owner_of for segment in self.segments])

    @cached_property
    def lengths(self) -> Scores:
        """Tokens by row and field."""
        return np.concatenate([segment.lengths for segment in self.segments])

    @cached_property
    def mean_lengths(self) -> Scores:
        """Of each field, over the living rows; at least one."""
        total = self.lengths[self.living].sum(axis=0, dtype=np.float64)
        means: Scores = np.maximum(total / max(self.count, 1), 1).astype(np.float32)
        return means

    @cached_property
    def count(self) -> int:
        """How many rows live."""
        return int(self.living.sum())

    @cached_property
    def calls(self) -> Numbers:
        """Pairs of a living row and the number of a name that it calls."""
        return self._pairs([segment.calls for segment in self.segments])

    @cached_property
    def bases(self) -> Numbers:
        """Pairs of a living class and the number of the name of a base."""
        return self._pairs([segment.bases for segment in self.segments])

    @cached_property
    def tests(self) -> Mask:
        """Which rows stand where tests do, or are named as tests are."""
        flags = np.array([file.test for file in self.row_files], np.bool_)
        stands = flags[self.file_of] if len(flags) else np.zeros(0, np.bool_)
        named = self._of_names(lambda name: name.startswith(("test_", "Test")))
        owned = self._of_names(lambda name: name.startswith("Test"), self.owner_of)
        code = self.kinds <= Kind.CLASS
        found: Mask = stands | (code & ((named > 0) | (owned > 0)))
        return found

    @cached_property
    def name_counts(self) -> Numbers:
        """How many living rows have each name."""
        named = self.name_of[self.living]
        return np.bincount(named, minlength=len(self.names.names)).astype(np.int32)

    @cached_property
    def popular(self) -> Scores:
        """How many rows call something of the same name: the logarithm, 1 at about a thousand."""
        called = np.bincount(self.calls[:, 1], minlength=len(self.names.names))
        return (np.log1p(called) / 7)[self.name_of].astype(np.float32)

    @cached_property
    def special(self) -> Scores:
        """1 for names such as `__init__`."""
        return self._of_names(lambda name: name.startswith("__") and name.endswith("__"))

    @cached_property
    def private(self) -> Scores:
        """1 for names with one underscore before them."""
        return self._of_names(lambda name: name.startswith("_") and not name.startswith("__"))

    @cached_property
    def _vectors(self) -> dict[str, Scores | None]:
        return {}

    def vectors(self, tier: str) -> Scores | None:
        """The vectors of a tier by row, zeros for rows without; None when no row has one."""
        if tier not in self._vectors:
            held = any(tier in segment.vectors for segment in self.segments)
            self._vectors[tier] = stacked(self.segments, tier) if held else None
        return self._vectors[tier]

    def chunk(self, row: int) -> Chunk:
        """The chunk in a row, without its text."""
        number = next(n for n, end in enumerate(self.first_rows[1:]) if row < end)
        return self.segments[number].rows[row - self.first_rows[number]]

    def path(self, row: int) -> str:
        """The path of a row's file."""
        return self.row_files[int(self.file_of[row])].path

    def rows_of(self, path: str) -> Numbers:
        """The living rows of a file, in order."""
        number = self.file_numbers.get(path)
        if number is None or path not in self.files:
            return np.zeros(0, np.int32)
        return np.flatnonzero((self.file_of == number) & self.living).astype(np.int32)

    def at(self, path: str, line: int) -> int | None:
        """The row of the innermost function or class around zero-based `line`, else that of the module."""
        best = None
        for row in self.rows_of(path).tolist():
            chunk = self.chunk(row)
            inside = chunk.first <= line <= chunk.last
            if inside or (best is None and chunk.kind is Kind.MODULE):
                best = row
        return best

    def _of_names(self, test: Callable[[str], bool], column: Numbers | None = None) -> Scores:
        flags = np.fromiter(map(test, self.names.names), np.float32)
        found: Scores = flags[self.name_of if column is None else column]
        return found

    def _joined(self, parts: Sequence[Numbers]) -> Numbers:
        return np.concatenate([*parts, np.zeros(0, np.int32)]).astype(np.int32, copy=False)

    def _pairs(self, parts: Sequence[Numbers]) -> Numbers:
        moved = [pairs + np.array([row, 0]) for pairs, row in zip(parts, self.first_rows[:-1], strict=True)]
        found = np.concatenate([*moved, np.zeros((0, 2), np.int32)]).astype(np.int32)
        return found[self.living[found[:, 0]]] if len(found) else found


class Index:
    """The chunks of a workspace. Not safe for threads: who shares it locks it."""

    def __init__(self) -> None:
        self.lexicon = Lexicon()
        self.names = Names()
        self.names.number("")
        self.files: dict[str, File] = {}
        self._segments: list[Segment] = []
        self._alive: list[Mask] = []
        self._makers: dict[str, Callable[[list[str]], Scores]] = {}
        self._view: View | None = None
        self._modules = Modules({})

    @classmethod
    def restored(cls, segment: Segment, files: Iterable[File], lexicon: Lexicon, names: Names) -> Index:
        """An index as it was stored."""
        index = cls()
        index.lexicon, index.names = lexicon, names
        index.files = {file.path: file for file in files}
        index._segments, index._alive = [segment], [np.ones(len(segment), np.bool_)]
        return index

    def replace(self, cuts: Sequence[Cut]) -> None:
        """Add these files, in place of what was known of them."""
        if not cuts:
            return
        self._kill([cut.path for cut in cuts])
        segment = build(cuts, self.lexicon, self.names)
        # Before it can be merged: what is merged without vectors would be taken to have none.
        segment.vectors.update({tier: _made(segment, made) for tier, made in self._makers.items()})
        self._segments.append(segment)
        self._alive.append(np.ones(len(segment), np.bool_))
        self.files.update((file.path, file) for file in segment.files)
        self._settle()

    def remove(self, paths: Iterable[str]) -> None:
        """Forget these files, as far as they are known."""
        gone = [path for path in paths if self.files.pop(path, None) is not None]
        if gone:
            self._kill(gone)
            self._settle()

    def view(self) -> View:
        """What lives now."""
        if self._view is None:
            files = dict(self.files)
            self._modules = self._modules.after(files)
            segments, alive = tuple(self._segments), tuple(self._alive)
            self._view = View(segments, alive, files, self.lexicon, self.names, self._modules)
        return self._view

    def missing(self, tier: str) -> dict[str, str]:
        """The texts that have no vector of this tier, by their keys: nearest to the last edits first."""
        found: dict[str, str] = {}
        for segment, alive in zip(reversed(self._segments), reversed(self._alive), strict=True):
            vectors = segment.vectors.get(tier)
            bare = alive if vectors is None else alive & ~vectors.any(axis=1)
            texts = (embedded_text(segment, row) for row in np.flatnonzero(bare).tolist())
            found.update((key_of(text), text) for text in texts)
        return found

    def supply(self, tier: str, vectors: Mapping[str, Scores]) -> None:
        """Give rows their vectors, by the keys of their texts; of length 1, all of one width."""
        if not vectors:
            return
        width = len(next(iter(vectors.values())))
        for segment, alive in zip(self._segments, self._alive, strict=True):
            held = segment.vectors.setdefault(tier, np.zeros((len(segment), width), np.float32))
            for row in np.flatnonzero(alive & ~held.any(axis=1)).tolist():
                found = vectors.get(key_of(embedded_text(segment, row)))
                if found is not None:
                    held[row] = _halved(found)
        self._view = None

    def fill(self, tier: str, made: Callable[[list[str]], Scores]) -> None:
        """Give all rows, and from now on those of replaced files, the vectors made of their texts."""
        self._makers[tier] = made
        for segment in self._segments:
            if tier not in segment.vectors:
                segment.vectors[tier] = _made(segment, made)
                self._view = None

    def compact(self) -> Segment:
        """Merge everything into one segment, and give it."""
        if not self._segments:
            self._segments, self._alive = [build([], self.lexicon, self.names)], [np.zeros(0, np.bool_)]
        if len(self._segments) > 1 or not self._alive[0].all():
            self._merge(0)
        return self._segments[0]

    def _kill(self, paths: Sequence[str]) -> None:
        gone = set(paths)
        for number, segment in enumerate(self._segments):
            files = np.array([file.path in gone for file in segment.files], np.bool_)
            if files.any():
                self._alive[number] = self._alive[number] & ~files[segment.file_of]
        self._view = None

    def _settle(self) -> None:
        self._view = None
        if not self._segments:
            return
        tail = sum(map(len, self._segments[1:]))
        dead = sum(int((~mask).sum()) for mask in self._alive)
        if tail + dead > 200 + _LARGEST_TAIL * len(self._segments[0]):
            self._merge(0)
        elif len(self._segments) > _MOST_SEGMENTS:
            self._merge(1)

    def _merge(self, first: int) -> None:
        segment = merged(self._segments[first:], self._alive[first:])
        self._segments[first:] = [segment]
        self._alive[first:] = [np.ones(len(segment), np.bool_)]


def _made(segment: Segment, made: Callable[[list[str]], Scores]) -> Scores:
    return _halved(made([embedded_text(segment, row) for row in range(len(segment))]))


def _halved(vectors: Scores) -> Scores:
    """As they are stored, in half the bytes: so that answers are the same before and after."""
    return vectors.astype(np.float16).astype(np.float32)
