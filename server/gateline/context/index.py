"""All chunks of a workspace, kept up to date file by file.

A file that changed becomes a small segment of its own, and its old rows die where they are; when many have
died, or there are many segments, they are merged. What is asked then is computed from what lives, so the
answers are those of an index that was made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress

import numpy as np

from gateline.context.arrays import Mask, Scores
from gateline.context.directions import Directions
from gateline.context.embedding import embedded_text, embedded_texts, keys
from gateline.context.merging import merged, renumbered
from gateline.context.modules import Modules
from gateline.context.segment import File, Names, Segment, build
from gateline.context.values import Cut
from gateline.context.view import View
from gateline.context.words import Lexicon

Known = dict[str, Scores]
"""Vectors by the texts of which they were made."""

_MOST_SEGMENTS = 8
_LARGEST_TAIL = 0.1
"""Of the first segment: above, all are merged."""
_SMALL = 200
"""Rows that are never worth it."""
WORN = 2_000
"""Words that nobody uses any more, above as many as are used, at which all are numbered anew: what is typed
letter by letter is a new word with each of them."""


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
        before = self._vectors_of({cut.path for cut in cuts})
        self._kill([cut.path for cut in cuts])
        segment = build(cuts, self.lexicon, self.names)
        # Before it can be merged: what is merged without vectors would be taken to have none.
        segment.vectors.update({t: _made(segment, made, before.get(t)) for t, made in self._makers.items()})
        others = {tier: known for tier, known in before.items() if known and tier not in self._makers}
        segment.vectors.update({tier: _taken_over(segment, known) for tier, known in others.items()})
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
            bare = alive if vectors is None else alive & ~vectors.are_there
            rows = np.flatnonzero(bare).tolist()
            if rows:
                named, texts = keys(segment), embedded_texts(segment)
                found.update((named[row], texts[row]) for row in rows)
        return found

    def supply(self, tier: str, vectors: Mapping[str, Scores]) -> None:
        """Give rows their vectors, by the keys of their texts; of length 1, all of one width.

        The view stays: nothing that it has worked out depends on vectors.
        """
        if not vectors:
            return
        width = len(next(iter(vectors.values())))
        for segment, alive in zip(self._segments, self._alive, strict=True):
            held = segment.vectors.setdefault(tier, Directions.none(len(segment), width))
            bare = np.flatnonzero(alive & ~held.are_there).tolist()
            named = keys(segment) if bare else ()
            found = {row: vectors.get(named[row]) for row in bare}
            there = {row: vector for row, vector in found.items() if vector is not None}
            if there:
                held.put(list(there), np.stack(list(there.values())))

    def texts(self) -> list[str]:
        """The texts that vectors are made of, each once."""
        pairs = zip(self._segments, self._alive, strict=True)
        rows = ((segment, row) for segment, alive in pairs for row in np.flatnonzero(alive).tolist())
        return list(dict.fromkeys(embedded_texts(segment)[row] for segment, row in rows))

    def fill(
        self,
        tier: str,
        made: Callable[[list[str]], Scores],
        known: Known | None = None,
        *,
        are_made: bool = False,
    ) -> None:
        """Give all rows, and from now on those of replaced files, the vectors made of their texts.

        Those of `known` texts were made already; with `are_made` all that are there.
        """
        self._makers[tier] = made
        for segment in self._segments:
            if not (are_made and tier in segment.vectors):
                segment.vectors[tier] = _made(segment, made, known)
                self._view = None

    def compact(self) -> Segment:
        """Merge everything into one segment, and give it."""
        if not self._segments:
            self._segments, self._alive = [build([], self.lexicon, self.names)], [np.zeros(0, np.bool_)]
        if len(self._segments) > 1 or not self._alive[0].all():
            self._merge(0)
        return self._segments[0]

    def _vectors_of(self, paths: set[str]) -> dict[str, Known]:
        """By tier and text the vectors of some files: what was only moved keeps its own."""
        found: dict[str, Known] = {}
        for segment, alive in zip(self._segments, self._alive, strict=True):
            rows = np.flatnonzero(alive & _rows_in(segment, paths)).tolist()
            texts = [embedded_text(segment, row) for row in rows]
            for tier, vectors in segment.vectors.items():
                is_made = vectors.are_there[rows].tolist()
                known = zip(
                    compress(texts, is_made), vectors.floats(list(compress(rows, is_made))), strict=True
                )
                found.setdefault(tier, {}).update(known)
        return found

    def _kill(self, paths: Sequence[str]) -> None:
        gone = set(paths)
        for number, segment in enumerate(self._segments):
            dead = _rows_in(segment, gone)
            if dead.any():
                self._alive[number] = self._alive[number] & ~dead
        self._view = None

    def _settle(self) -> None:
        self._view = None
        if not self._segments:
            return
        living = [int(mask.sum()) for mask in self._alive]
        tail, dead = sum(living[1:]), len(self._segments[0]) - living[0]
        dead_in_tail = sum(map(len, self._segments[1:])) - tail
        if tail + dead > _SMALL + _LARGEST_TAIL * len(self._segments[0]) or self._is_worn():
            self._merge(0)
        elif len(self._segments) > _MOST_SEGMENTS or dead_in_tail > _SMALL + tail:
            # A long file that is typed in leaves many dead rows here, and none in the first segment.
            self._merge(1)

    def _merge(self, first: int) -> None:
        segment = merged(self._segments[first:], self._alive[first:])
        self._segments[first:] = [segment]
        self._alive[first:] = [np.ones(len(segment), np.bool_)]
        if self._is_worn():
            self._segments[0], self.lexicon, self.names = renumbered(segment, self.lexicon, self.names)

    def _is_worn(self) -> bool:
        """Whether most words and names that have a number stand nowhere any more."""
        used = len(self._segments[0].tokens)
        known = max(len(self.lexicon.words), len(self.lexicon.tokens), len(self.names.names))
        return known > 2 * used + WORN


def _rows_in(segment: Segment, paths: set[str]) -> Mask:
    files = np.array([file.path in paths for file in segment.files], np.bool_)
    found: Mask = files[segment.file_of]
    return found


def _made(segment: Segment, made: Callable[[list[str]], Scores], known: Known | None = None) -> Directions:
    """The vectors of all rows, of which some are known."""
    texts = list(embedded_texts(segment))
    if not known:
        return Directions.of(made(texts))
    new = [text for text in dict.fromkeys(texts) if text not in known]
    fresh = dict(zip(new, made(new), strict=True))
    return Directions.of(np.stack([known[text] if text in known else fresh[text] for text in texts]))


def _taken_over(segment: Segment, known: Known) -> Directions:
    """The vectors that are known, and none for the other rows."""
    none = np.zeros(len(next(iter(known.values()))), np.float32)
    texts = embedded_texts(segment)
    rows = [known.get(text, none) for text in texts]
    return Directions.of(np.stack(rows)) if rows else Directions.none(0, len(none))
