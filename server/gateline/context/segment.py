"""A block of chunks that does not change: its columns, and for each token where it stands.

An index is a few of them. numpy is imported with this module: nothing that starts the server may import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from gateline.context.arrays import Numbers, Scores
from gateline.context.chunking.cutting import is_test
from gateline.context.directions import Directions
from gateline.context.rows import Rows
from gateline.context.values import Chunk, Cut, Import, Kind
from gateline.context.words import Lexicon
from gateline.model.deriving import Deriving

FIELDS = ("name", "owner", "path", "docstring", "body")
_WIDTH = len(FIELDS)
_MOST = 255
"""Occurrences of a token in a field are counted up to here: one byte is enough."""


class Names:
    """Numbers of whole names, as they are written."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = list(names)
        self.numbers = dict(zip(self.names, range(len(self.names)), strict=True))
        self._marks: dict[Callable[[str], bool], bytearray] = {}

    def number(self, name: str) -> int:
        """The name's number; a new one for a name not met before."""
        found = self.numbers.setdefault(name, len(self.names))
        if found == len(self.names):
            self.names.append(name)
        return found

    def marked(self, test: Callable[[str], bool]) -> NDArray[np.uint8]:
        """1 for each name that passes a test, by number. Only names that are new since are tested."""
        marks = self._marks.setdefault(test, bytearray())
        marks.extend(map(test, self.names[len(marks) :]))
        return np.frombuffer(bytes(marks), np.uint8)


@dataclass(frozen=True)
class File:
    """What is known of a file that was cut."""

    path: str
    digest: str
    listed: str
    """What it imports, as `listed` writes it: objects are made when they are asked for."""
    test: bool

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """What it imports."""
        lines = self.listed.split("\n") if self.listed else ()
        return tuple(Import(*line.split("\t")) for line in lines)


def listed(imports: Iterable[Import]) -> str:
    """Imports as a text: a line for each."""
    return "\n".join(f"{one.module}\t{one.name}\t{one.alias}" for one in imports)


@dataclass(frozen=True)
class Segment(Deriving):
    """Chunks in rows. Pairs (`calls`, `bases`) hold the row first and the number of the name second."""

    files: tuple[File, ...]
    rows: Rows
    file_of: Numbers
    name_of: Numbers
    owner_of: Numbers
    calls: Numbers
    bases: Numbers
    lengths: Scores
    tokens: Numbers
    starts: Numbers
    docs: Numbers
    counts: NDArray[np.uint8]
    vectors: dict[str, Directions] = field(default_factory=dict)
    """By tier, a vector for each row. Filled in later."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def kinds(self) -> Numbers:
        """The kind of each row."""
        return self.rows.kinds


def build(cuts: Sequence[Cut], lexicon: Lexicon, names: Names) -> Segment:
    """The segment of some files."""
    chunks = [chunk for cut in cuts for chunk in cut.chunks]
    file_of = np.repeat(np.arange(len(cuts), dtype=np.int32), [len(cut.chunks) for cut in cuts])
    tokens, lengths = _read(cuts, lexicon)
    postings = _postings(tokens, lengths)
    number = names.number
    return Segment(
        files=tuple(File(cut.path, cut.digest, listed(cut.imports), is_test(cut.path)) for cut in cuts),
        rows=Rows.of(chunks),
        file_of=file_of.astype(np.int32),
        name_of=_numbers([number(c.short) for c in chunks]),
        owner_of=_numbers([number(c.owner.rpartition(".")[2]) for c in chunks]),
        calls=_pairs([(n, number(called)) for n, c in enumerate(chunks) for called in c.calls]),
        bases=_pairs([(n, number(base)) for n, c in enumerate(chunks) for base in c.bases]),
        lengths=lengths.astype(np.float32),
        tokens=postings.tokens,
        starts=postings.starts,
        docs=postings.docs,
        counts=postings.counts,
    )


def _numbers(values: list[int]) -> Numbers:
    return np.array(values, np.int32)


def _pairs(values: list[tuple[int, int]]) -> Numbers:
    return np.array(values, np.int32).reshape(-1, 2)


def _read(cuts: Sequence[Cut], lexicon: Lexicon) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The tokens of all fields of all chunks, one behind the other, and how many each field has."""
    words: list[int] = []
    ends: list[int] = []
    # A file that is typed in is cut again and again, and most of it is as it was.
    read = lexicon.recalled if len(cuts) == 1 else lexicon.read
    for cut in cuts:
        path = list(lexicon.read(str(PurePosixPath(cut.path).with_suffix(""))))
        for chunk in cut.chunks:
            words.extend(read(_own(chunk)))
            ends.append(len(words))
            words.extend(read(chunk.owner))
            ends.append(len(words))
            words.extend(path)
            ends.append(len(words))
            words.extend(read(chunk.docstring))
            ends.append(len(words))
            words.extend(read(chunk.body))
            ends.append(len(words))
    tokens, sizes = _expanded(np.array(words, np.int64), lexicon.words)
    places = np.append(0, np.cumsum(sizes))[np.array([0, *ends], np.int64)]
    return tokens, (places[1:] - places[:-1]).reshape(-1, _WIDTH)


def _expanded(
    words: NDArray[np.int64], known: Sequence[tuple[int, ...]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The tokens of words, and how many each word has."""
    used, places = np.unique(words, return_inverse=True)
    parts = [known[number] for number in used.tolist()]
    lengths = np.fromiter(map(len, parts), np.int64, len(parts))
    tokens = np.fromiter(chain.from_iterable(parts), np.int64)
    starts = np.cumsum(lengths) - lengths
    sizes = lengths[places]
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return tokens[np.arange(total) + np.repeat(starts[places] - (ends - sizes), sizes)], sizes


def _own(chunk: Chunk) -> str:
    return chunk.name.rpartition(".")[2] if chunk.kind is Kind.MODULE else chunk.short


@dataclass(frozen=True, slots=True)
class _Postings:
    """By token: the rows in which it stands, and how often in each field."""

    tokens: Numbers
    starts: Numbers
    docs: Numbers
    counts: NDArray[np.uint8]


def _postings(tokens: NDArray[np.int64], lengths: NDArray[np.int64]) -> _Postings:
    """The token's number, its row and its field make one key; equal keys are counted."""
    cells = max(lengths.size, 1)
    keys = tokens * cells + np.repeat(np.arange(lengths.size), lengths.ravel())
    keys, times = np.unique(keys, return_counts=True)
    owners, cell = keys // cells, keys % cells
    rows = cell // _WIDTH
    new = np.ones(len(rows), np.bool_)
    new[1:] = (owners[1:] != owners[:-1]) | (rows[1:] != rows[:-1])
    counts = np.zeros((int(new.sum()), _WIDTH), np.uint8)
    counts[np.cumsum(new) - 1, cell % _WIDTH] = np.minimum(times, _MOST)
    distinct, starts = np.unique(owners[new], return_index=True)
    ends = np.append(starts, len(counts)).astype(np.int32)
    return _Postings(distinct.astype(np.int32), ends, rows[new].astype(np.int32), counts)
