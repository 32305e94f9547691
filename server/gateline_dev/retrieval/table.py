"""Makes the table of vectors that the package ships: distilled from the transformer, tuned on docstrings.

Each piece of a word is shown to the transformer alone; what it answers, in fewer dimensions, is where tuning
begins. Tuning brings the first sentence of a docstring near to the signature that it stands under, and away
from the others of a batch. Some pieces are left out each time, so that no single one is relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gateline.context.static import cut_word
from gateline.session.context import columns
from gateline_dev.retrieval.batches import Batches
from gateline_dev.retrieval.documented import Documented
from gateline_dev.retrieval.minilm import MiniLM

_PIECE = re.compile(r"(##)?([a-z]+|[0-9]{1,4})")
_WORD = re.compile(r"[a-z]+|[0-9]+")
WIDTH, LARGEST = 192, 19_000
"""Dimensions and rows: two tables of these take 7.3 MB."""
_BATCH, STEPS, _RATE, _SHARPNESS = 512, 600, 0.004, 20.0
_KEPT = 0.9
"""Of the pieces of a text, in each step."""

Matrix = NDArray[np.float32]


def pieces_of(model: MiniLM) -> list[str]:
    """The pieces of words that code and English about code are made of, the commonest first."""
    ordered = sorted(model.numbers, key=model.numbers.__getitem__)
    found = [piece for piece in ordered if _PIECE.fullmatch(piece)]
    single = [piece for piece in found if len(piece.removeprefix("##")) == 1]
    return [*single, *(piece for piece in found if piece not in set(single))][:LARGEST]


def distilled(model: MiniLM, pieces: Sequence[str]) -> Matrix:
    """What the transformer says of each piece alone, in few dimensions, common pieces counting less."""
    return reduced(model.alone(pieces))


def reduced(vectors: Matrix) -> Matrix:
    """The directions in which vectors differ most; pieces are taken to be in the order of their frequency."""
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    kept = centred @ directions[:, ::-1][:, :WIDTH]
    rarity = np.log1p(np.arange(len(kept)) + 50.0)[:, None]
    scaled: Matrix = (kept / np.linalg.norm(kept, axis=1, keepdims=True) * rarity / rarity.max()).astype(
        np.float32
    )
    return scaled


@dataclass(frozen=True)
class Pair:
    """A sentence and the text of the function that it describes, as numbers of pieces."""

    group: str
    """The package: half of a batch is from one, so that it is not enough to tell packages apart."""
    sentence: tuple[int, ...]
    text: tuple[int, ...]


def pairs_of(chosen: Sequence[Documented], pieces: Sequence[str]) -> list[Pair]:
    """Functions as pairs."""
    known = {piece: number for number, piece in enumerate(pieces)}
    return [Pair(o.group, numbers(o.sentence, known), numbers(o.text, known)) for o in chosen]


def numbers(text: str, pieces: dict[str, int]) -> tuple[int, ...]:
    """The pieces of a text."""
    return tuple(n for word in _WORD.findall(text.lower()) for n in cut_word(word, pieces))


class Tuning:
    """Two tables that begin alike, one for sentences and one for texts."""

    def __init__(self, table: Matrix, pairs: Sequence[Pair], seed: int = 0) -> None:
        self.sentences = _Trained(table.copy())
        self.texts = _Trained(table.copy())
        self._pairs = [pair for pair in pairs if pair.sentence and pair.text]
        self._random = np.random.default_rng(seed)
        self._batches = Batches([pair.group for pair in self._pairs], self._random)

    def run(self, steps: int = STEPS) -> Iterator[float]:
        """Tune, telling the loss of each step."""
        for step in range(steps):
            chosen = [self._pairs[number] for number in self._batches.next(_BATCH)]
            yield self._step(chosen, _RATE * (1 - step / steps))

    def _some(self, numbers: Sequence[int]) -> list[int]:
        chosen = self._random.random(len(numbers)) < _KEPT
        return [n for n, kept in zip(numbers, chosen, strict=True) if kept] or list(numbers)

    def _step(self, pairs: Sequence[Pair], rate: float) -> float:
        left = self.sentences.forward([self._some(pair.sentence) for pair in pairs])
        right = self.texts.forward([self._some(pair.text) for pair in pairs])
        scores = _SHARPNESS * left @ right.T
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        back = np.exp(scores - scores.max(axis=0, keepdims=True))
        back /= back.sum(axis=0, keepdims=True)
        slope = (shares + back - 2 * np.eye(len(pairs), dtype=np.float32)) * (_SHARPNESS / (2 * len(pairs)))
        self.sentences.backward(slope @ right, rate)
        self.texts.backward(slope.T @ left, rate)
        return float(-np.log(np.maximum(np.diag(shares), 1e-12)).mean())


class _Trained:
    """A table with what Adam remembers of it; only rows that a batch touches change."""

    def __init__(self, table: Matrix) -> None:
        self.table = table
        self._first, self._second = np.zeros_like(table), np.zeros_like(table)
        self._steps = np.zeros(len(table), np.float32)

    def forward(self, bags: Sequence[Sequence[int]]) -> Matrix:
        """The vector of each bag, of length 1."""
        flat = np.concatenate([np.array(bag) for bag in bags])
        self._rows, places = np.unique(flat, return_inverse=True)
        self._counts = np.zeros((len(bags), len(self._rows)), np.float32)
        np.add.at(self._counts, (np.repeat(np.arange(len(bags)), [len(bag) for bag in bags]), places), 1)
        sums = self._counts @ self.table[self._rows]
        self._norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        self._vectors: Matrix = sums / self._norms
        found: Matrix = self._vectors
        return found

    def backward(self, slope: Matrix, rate: float) -> None:
        """One step of Adam against the slope of the loss by the vectors."""
        along = (slope * self._vectors).sum(axis=1, keepdims=True)
        gradient = self._counts.T @ ((slope - along * self._vectors) / self._norms)
        rows = self._rows
        self._steps[rows] += 1
        self._first[rows] = 0.9 * self._first[rows] + 0.1 * gradient
        self._second[rows] = 0.99 * self._second[rows] + 0.01 * gradient**2
        steps = self._steps[rows][:, None]
        first = self._first[rows] / (1 - 0.9**steps)
        second = self._second[rows] / (1 - 0.99**steps)
        self.table[rows] -= rate * first / (np.sqrt(second) + 1e-8)


def save(file: Path, pieces: Sequence[str], sentences: Matrix, texts: Matrix) -> None:
    """Write both tables as bytes with a factor for each row; unpacked, because it is read at each start."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, table in (("questions", sentences), ("chunks", texts)):
        scales = np.maximum(np.abs(table).max(axis=1), 1e-9) / 127
        arrays[name] = np.round(table / scales[:, None]).astype(np.int8)
        arrays[f"{name[:-1]}_scales"] = scales.astype(np.float32)
    file.write_bytes(columns.written({}, {"pieces": columns.texts(pieces), **arrays}))
