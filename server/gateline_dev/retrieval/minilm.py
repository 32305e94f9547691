"""all-MiniLM-L6-v2 in numpy: what static tables are distilled from, and a baseline.

Slow, exact, and nothing to install: the weights come with a package, as one file of arrays and one of words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gateline.context.static import cut_word

_LAYERS, _HEADS = 6, 12
_START, _END, _UNKNOWN = 101, 102, 100
_BATCH = 32
_WORD = re.compile(r"\w+|[^\w\s]")

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class MiniLM:
    """The transformer with its vocabulary."""

    arrays: Mapping[str, Matrix]
    pieces: dict[str, int]

    @classmethod
    def of(cls, folder: Path) -> MiniLM:
        """The model whose files are in a folder."""
        words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        return cls(_arrays(folder / "model.safetensors"), {word: n for n, word in enumerate(words) if word})

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
        result = np.zeros((len(rows), self.arrays["embeddings.LayerNorm.bias"].size), np.float32)
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            result[chosen] = self.pooled([rows[n] for n in chosen])
        return result

    def pooled(self, rows: Sequence[Sequence[int]]) -> Matrix:
        """The mean of what the last layer gives for each row, of length 1."""
        longest = max(map(len, rows))
        numbers = np.array([[*row, *[0] * (longest - len(row))] for row in rows])
        mask = np.array([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows], np.float32)
        states = self._embedded(numbers)
        for layer in range(_LAYERS):
            states = self._layer(states, mask, f"encoder.layer.{layer}.")
        sums = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        found: Matrix = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return found

    def _embedded(self, numbers: NDArray[np.int64]) -> Matrix:
        arrays = self.arrays
        words = arrays["embeddings.word_embeddings.weight"][numbers]
        places = arrays["embeddings.position_embeddings.weight"][: numbers.shape[1]]
        return self._normal(
            words + places + arrays["embeddings.token_type_embeddings.weight"][0], "embeddings."
        )

    def _layer(self, states: Matrix, mask: Matrix, name: str) -> Matrix:
        rows, length, width = states.shape
        parts = [self._linear(states, f"{name}attention.self.{p}.") for p in ("query", "key", "value")]
        query, key, value = (
            part.reshape(rows, length, _HEADS, width // _HEADS).transpose(0, 2, 1, 3) for part in parts
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32((width // _HEADS) ** 0.5)
        scores += (mask[:, None, None, :] - 1) * np.float32(1e4)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        seen = (shares @ value).transpose(0, 2, 1, 3).reshape(rows, length, width)
        states = self._normal(
            states + self._linear(seen, f"{name}attention.output.dense."), f"{name}attention.output."
        )
        inner = _gelu(self._linear(states, f"{name}intermediate.dense."))
        return self._normal(states + self._linear(inner, f"{name}output.dense."), f"{name}output.")

    def _linear(self, states: Matrix, name: str) -> Matrix:
        made: Matrix = states @ self.arrays[f"{name}weight"].T + self.arrays[f"{name}bias"]
        return made

    def _normal(self, states: Matrix, name: str) -> Matrix:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        weight, bias = self.arrays[f"{name}LayerNorm.weight"], self.arrays[f"{name}LayerNorm.bias"]
        made: Matrix = centred / spread * weight + bias
        return made


def _gelu(states: Matrix) -> Matrix:
    """With the error function to seven digits (Abramowitz and Stegun, 7.1.26)."""
    x = np.abs(states) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * x)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(states) * (1 - series * np.exp(-x * x))
    made: Matrix = (0.5 * states * (1 + error)).astype(np.float32)
    return made


def _arrays(file: Path) -> dict[str, Matrix]:
    """The arrays of a file: the length of its head, the head as JSON, then the bytes."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + size])
    return dict(_named(head, data, 8 + size))


def _named(
    head: Mapping[str, Mapping[str, Sequence[int]]], data: bytes, base: int
) -> Iterator[tuple[str, Matrix]]:
    for name, about in head.items():
        if str(about.get("dtype")) == "F32":
            start, end = about["data_offsets"]
            yield name, np.frombuffer(data[base + start : base + end], np.float32).reshape(about["shape"])
