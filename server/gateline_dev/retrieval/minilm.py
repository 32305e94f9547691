"""all-MiniLM-L6-v2 in numpy: what static tables are distilled from, and a baseline.

Slow, exact, and nothing to install: the weights come with a package, as one file of arrays and one of words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gateline.context.static import cut_word
from gateline.services.embedding.bert import Bert, Matrix, pooled

_START, _END, _UNKNOWN = 101, 102, 100
_BATCH = 32
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class MiniLM:
    """The transformer with its vocabulary."""

    model: Bert
    pieces: dict[str, int]

    @classmethod
    def of(cls, folder: Path) -> MiniLM:
        """The model whose files are in a folder."""
        words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return cls(Bert.of(folder, config), {word: n for n, word in enumerate(words) if word})

    def numbers(self, text: str, most: int) -> list[int]:
        """The pieces of a text between the marks of its beginning and end."""
        plain = unicodedata.normalize("NFD", text.lower())
        bare = "".join(c for c in plain if unicodedata.category(c) != "Mn")
        words = (word for found in _WORD.findall(bare) for word in _WORD.findall(found.replace("_", " _ ")))
        found = [n for word in words for n in (cut_word(word, self.pieces) or [_UNKNOWN])]
        return [_START, *found[: most - 2], _END]

    def numbers_of(self, piece: str) -> list[int]:
        """One piece between the marks."""
        return [_START, self.pieces[piece], _END]

    def vectors(self, texts: Sequence[str], most: int = 256) -> Matrix:
        """A vector of length 1 for each text, of which so many pieces count."""
        rows = [self.numbers(text, most) for text in texts]
        order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
        result = np.zeros((len(rows), self.model.arrays["embeddings.LayerNorm.bias"].size), np.float32)
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            result[chosen] = self.pooled([rows[n] for n in chosen])
        return result

    def pooled(self, rows: Sequence[Sequence[int]]) -> Matrix:
        """The mean of what the last layer gives for each row, of length 1."""
        longest = max(map(len, rows))
        numbers = np.array([[*row, *[0] * (longest - len(row))] for row in rows])
        mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        return pooled(self.model.states(numbers, mask), mask)
