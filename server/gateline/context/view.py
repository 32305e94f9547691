"""The rows of an index at one moment, as columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import methodcaller

import numpy as np

from gateline.context.arrays import Mask, Numbers, Scores
from gateline.context.directions import Directions
from gateline.context.modules import Modules
from gateline.context.segment import File, Names, Segment
from gateline.context.values import Chunk, Kind
from gateline.context.words import Lexicon
from gateline.model.deriving import Deriving


@dataclass(frozen=True)
class View(Deriving):
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
    def is_whole(self) -> bool:
        """Whether all rows count."""
        return bool(self.living.all())

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
    def lines(self) -> Numbers:
        """The first and the last line of each row."""
        return np.concatenate(
            [np.zeros((0, 2), np.int32), *(segment.rows.lines for segment in self.segments)]
        )

    @cached_property
    def name_of(self) -> Numbers:
        """The number of each row's short name."""
        return self._joined([segment.name_of for segment in self.segments])

    @cached_property
    def code_names(self) -> Numbers:
        """The number of the name of each living function and class; -1 for other rows."""
        return np.where(self.living & (self.kinds <= Kind.CLASS), self.name_of, np.int32(-1))

    @cached_property
    def outside(self) -> Mask:
        """Which rows are functions and classes that stand in no class."""
        found: Mask = (self.kinds == Kind.FUNCTION) | ((self.kinds == Kind.CLASS) & (self.owner_of == 0))
        return found

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
        named = self._of_names(_names_test)
        owned = self._of_names(_names_tests, self.owner_of)
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
        return self._of_names(_begins_lower) * self._of_names(_ends_lower)

    @cached_property
    def private(self) -> Scores:
        """1 for names with one underscore before them."""
        return self._of_names(_begins_low) - self._of_names(_begins_lower)

    def has_vectors(self, tier: str) -> bool:
        """Whether any row has a vector of a tier."""
        return any(tier in segment.vectors for segment in self.segments)

    def similar(self, tier: str, vector: Scores) -> Scores:
        """The cosine of a vector and that of each row, 0 for rows without."""
        # Segment by segment: to put their vectors together after each edit would copy megabytes.
        asked = Directions.of(vector[None])
        parts = [
            held.similar(asked) if (held := s.vectors.get(tier)) is not None else np.zeros(len(s), np.float32)
            for s in self.segments
        ]
        return np.concatenate(parts)

    def with_vector(self, tier: str) -> int:
        """How many rows have a vector of a tier, as far as they live."""
        held = zip(self.segments, self.alive, strict=True)
        return sum(int((s.vectors[tier].are_there & alive).sum()) for s, alive in held if tier in s.vectors)

    def without_vector(self, tier: str) -> int:
        """How many living rows have none of a tier."""
        return self.count - self.with_vector(tier)

    def chunk(self, row: int) -> Chunk:
        """The chunk in a row, without its text."""
        number = next(n for n, end in enumerate(self.first_rows[1:]) if row < end)
        return self.segments[number].rows[row - self.first_rows[number]]

    def path(self, row: int) -> str:
        """The path of a row's file."""
        return self.row_files[int(self.file_of[row])].path

    def rows_of(self, path: str) -> Numbers:
        """The living rows of a file, in order."""
        if path not in self.files:
            return np.zeros(0, np.int32)
        first, end = self.bounds(path)
        return (first + np.flatnonzero(self.living[first:end])).astype(np.int32)

    def bounds(self, path: str) -> tuple[int, int]:
        """The first row of the newest text of a file, and the one behind its last: they stand together."""
        number = self.file_numbers.get(path, -1)
        first, end = np.searchsorted(self.file_of, [number, number + 1]).tolist()
        return (first, end) if number >= 0 else (0, 0)

    def at(self, path: str, line: int) -> int | None:
        """The row of the innermost function or class around zero-based `line`, else that of the module."""
        rows = self.rows_of(path)
        first, last = self.lines[rows].T
        around = rows[(first <= line) & (line <= last)]
        if not len(around):
            around = rows[self.kinds[rows] == Kind.MODULE][:1]
        return int(around[-1]) if len(around) else None

    def _of_names(self, test: Callable[[str], bool], column: Numbers | None = None) -> Scores:
        flags = self.names.marked(test).astype(np.float32)
        found: Scores = flags[self.name_of if column is None else column]
        return found

    def _joined(self, parts: Sequence[Numbers]) -> Numbers:
        return np.concatenate([*parts, np.zeros(0, np.int32)]).astype(np.int32, copy=False)

    def _pairs(self, parts: Sequence[Numbers]) -> Numbers:
        moved = [pairs + np.array([row, 0]) for pairs, row in zip(parts, self.first_rows[:-1], strict=True)]
        found = np.concatenate([*moved, np.zeros((0, 2), np.int32)]).astype(np.int32)
        return found[self.living[found[:, 0]]] if len(found) else found


# Each name of a workspace is tested at its start: what is called in C takes a third of the time.
_names_test: Callable[[str], bool] = methodcaller("startswith", ("test_", "Test"))
_names_tests: Callable[[str], bool] = methodcaller("startswith", "Test")
_begins_low: Callable[[str], bool] = methodcaller("startswith", "_")
_begins_lower: Callable[[str], bool] = methodcaller("startswith", "__")
_ends_lower: Callable[[str], bool] = methodcaller("endswith", "__")
