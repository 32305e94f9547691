"""How to bring a model's products to eight bits without losing what they tell.

All inputs of a product share one scale, and a few of them are much larger than the others: these are made
smaller, and their weights larger by as much. How large inputs become is seen by the reference, which is
given pieces by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gateline.services.embedding.bert import Bert, Matrix, Numbers

_SHARE = 0.65
"""How much of the difference goes from the inputs to the weights; measured, the most alike vectors."""
_TEXTS, _LENGTH = 60, 14
"""Texts by chance, and the pieces of each."""
_LEAST = 1e-3
"""Inputs and weights below are all the same."""
_LARGEST = 127

Bytes = NDArray[np.int8]


@dataclass(frozen=True)
class _Watched(Bert):
    """The reference, and how large the inputs of its products become."""

    seen: dict[str, Matrix] = field(default_factory=dict)

    def _linear(self, states: Matrix, name: str) -> Matrix:
        largest = np.abs(states).max(axis=(0, 1))
        self.seen[name] = np.maximum(self.seen.get(name, np.float32(0)), largest)
        return super()._linear(states, name)


def largest_inputs(model: Bert) -> Mapping[str, Matrix]:
    """By product, the largest that each of its inputs becomes."""
    watched = _Watched(model.arrays, model.layers, model.heads, model.epsilon)
    known = len(model.arrays["embeddings.word_embeddings.weight"])
    chance = np.random.default_rng(0)
    numbers: Numbers = chance.integers(0, known, (_TEXTS, _LENGTH))
    # Each by itself: in a batch all would have to be of one length.
    for row in numbers:
        watched.states(row[None], np.ones((1, _LENGTH), np.int64))
    return watched.seen


def divisors(inputs: Matrix, weight: Matrix) -> Matrix:
    """By what each input of a product is divided, and its row of weights multiplied."""
    large = np.maximum(inputs, _LEAST) ** _SHARE
    found: Matrix = (large / np.maximum(np.abs(weight).max(axis=1), _LEAST) ** (1 - _SHARE)).astype(
        np.float32
    )
    return found


def in_bytes(weight: Matrix, axis: int) -> tuple[Bytes, Matrix]:
    """Numbers of eight bits, and a factor for all along an axis."""
    most = np.maximum(np.abs(weight).max(axis=axis, keepdims=True), np.finfo(np.float32).tiny * _LARGEST)
    scales: Matrix = (most / _LARGEST).astype(np.float32)
    return np.round(weight / scales).astype(np.int8), scales


def joined(arrays: Mapping[str, Matrix], names: Sequence[str]) -> tuple[Matrix, Matrix]:
    """The weights, with inputs as rows, and the biases of products that have the same inputs, as of one."""
    weights = np.concatenate([arrays[f"{name}weight"].T for name in names], axis=1)
    return weights, np.concatenate([arrays[f"{name}bias"] for name in names])
