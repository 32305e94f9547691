"""Vectors without a neural network: the mean of a table's rows, one for each piece of a word.

The table was distilled from a sentence transformer and tuned on documented functions; see
`gateline_dev/retrieval`. Questions and chunks have tables of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gateline.context.arrays import Scores

TIER = "static"
_WORD = re.compile(r"[a-z]+|[0-9]+")
_AT_ONCE = 512
"""Texts: what is read for them is to stay in the cache of the processor."""
_LONGEST = 32
"""Characters of a word that is looked up."""


@dataclass
class StaticTable:
    """Pieces of words and their vectors, as bytes with a factor for each row."""

    pieces: dict[str, int]
    """Numbers by piece; one that continues a word begins with `##`."""
    questions: NDArray[np.int8]
    chunks: NDArray[np.int8]
    question_scales: Scores
    chunk_scales: Scores
    name: str = ""
    """Tells this table from others, whose vectors mean something else."""
    _known: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def question(self, text: str) -> Scores:
        """The vector of a question, of length 1; zeros when no piece of it is known."""
        total = self.summed(text)
        return total / np.float32(max(float(np.linalg.norm(total)), 1e-9))

    def summed(self, text: str) -> Scores:
        """The vector of a question before it is brought to length 1: its length tells how much words say."""
        numbers = self._numbers(text)
        total: Scores = self.question_scales[numbers] @ self.questions[numbers].astype(np.float32)
        return total

    def of(self, texts: Iterable[str]) -> Scores:
        """A vector for each text of a chunk."""
        return _mean([self._numbers(text) for text in texts], self.chunks, self.chunk_scales)

    def _numbers(self, text: str) -> list[int]:
        found: list[int] = []
        for word in _WORD.findall(text.lower()):
            numbers = self._known.get(word)
            if numbers is None:
                numbers = self._known[word] = tuple(cut_word(word[:_LONGEST], self.pieces))
            found.extend(numbers)
        return found


def table_of(arrays: Mapping[str, NDArray[np.generic]], name: str) -> StaticTable:
    """The table from its arrays as they are stored. Raises KeyError and ValueError for others."""
    pieces = arrays["pieces"].tobytes().decode().split("\n")
    return StaticTable(
        dict(zip(pieces, range(len(pieces)), strict=True)),
        arrays["questions"].astype(np.int8, copy=False),
        arrays["chunks"].astype(np.int8, copy=False),
        arrays["question_scales"].astype(np.float32, copy=False),
        arrays["chunk_scales"].astype(np.float32, copy=False),
        name,
    )


def cut_word(word: str, pieces: dict[str, int]) -> list[int]:
    """The longest pieces of a word that are known, from its beginning on; none if it cannot be cut."""
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            number = pieces.get(mark + word[start:end])
            if number is not None:
                break
        else:
            return []
        found.append(number)
        start = end
    return found


def _mean(texts: Sequence[Sequence[int]], table: NDArray[np.int8], scales: Scores) -> Scores:
    """The sum of the rows of each text, brought to length 1."""
    result = np.zeros((len(texts), table.shape[1]), np.float32)
    filled = [number for number, text in enumerate(texts) if text]
    if not filled:
        return result
    flat = np.concatenate([np.array(texts[number], np.int32) for number in filled])
    used, places = np.unique(flat, return_inverse=True)
    rows = table[used].astype(np.float32) * scales[used, None]
    sizes = np.array([len(texts[number]) for number in filled])
    starts = np.cumsum(sizes) - sizes
    # Texts of one length at a time: adding up parts of unequal length takes five times as long.
    for size in sorted(set(sizes.tolist())):
        alike = np.flatnonzero(sizes == size)
        for some in np.split(alike, range(_AT_ONCE, len(alike), _AT_ONCE)):
            sums = rows[places[starts[some][:, None] + np.arange(size)]].sum(axis=1)
            norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
            result[np.array(filled)[some]] = sums / norms
    return result
