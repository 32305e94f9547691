"""What retrieval is measured beside: TF-IDF and BM25 over plain words, and the transformer alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_K1, _B = 1.2, 0.75

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class PlainWords:
    """Texts by their words as they are written, in lower case."""

    postings: dict[str, tuple[NDArray[np.int64], Scores]]
    lengths: Scores
    norms: Scores

    @classmethod
    def of(cls, texts: Sequence[str]) -> PlainWords:
        """Count the words of all texts."""
        counted = [Counter(_WORD.findall(text.lower())) for text in texts]
        found: dict[str, list[tuple[int, int]]] = {}
        for row, counts in enumerate(counted):
            for word, count in counts.items():
                found.setdefault(word, []).append((row, count))
        postings = {
            word: (np.array([row for row, _ in pairs]), np.array([times for _, times in pairs], np.float64))
            for word, pairs in found.items()
        }
        lengths = np.array([sum(counts.values()) for counts in counted], np.float64)
        norms = np.zeros(len(texts))
        for rows, times in postings.values():
            norms[rows] += (np.log1p(times) * log(1 + len(texts) / len(rows))) ** 2
        return cls(postings, lengths, np.sqrt(np.maximum(norms, 1e-9)))

    def scores(self, text: str, kind: Literal["tf-idf", "bm25"]) -> Scores:
        """How well each text fits."""
        total = np.zeros(len(self.lengths))
        mean = max(float(self.lengths.mean()), 1.0)
        for word in set(_WORD.findall(text.lower())) & self.postings.keys():
            rows, times = self.postings[word]
            if kind == "tf-idf":
                total[rows] += np.log1p(times) * log(1 + len(total) / len(rows)) ** 2 / self.norms[rows]
            else:
                rarity = log(1 + (len(total) - len(rows) + 0.5) / (len(rows) + 0.5))
                long = 1 - _B + _B * self.lengths[rows] / mean
                total[rows] += rarity * times * (_K1 + 1) / (times + _K1 * long)
        return total
