"""BERT in numpy: what a sentence transformer computes, and the reference of all engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from gateline.services.embedding.weights import MissingModelError

Matrix = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Bert:
    """The arrays by their names, and the measures of the model."""

    arrays: Mapping[str, Matrix]
    layers: int
    heads: int
    epsilon: float

    @classmethod
    def of(cls, folder: Path, config: Mapping[str, int | float | str]) -> Bert:
        """The model in a folder. Raises MissingModelError."""
        try:
            measures = (int(config["num_hidden_layers"]), int(config["num_attention_heads"]))
            return cls(arrays_of(folder / "model.safetensors"), *measures, float(config["layer_norm_eps"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MissingModelError(f"{folder} cannot be read ({type(error).__name__}: {error})") from None

    def states(self, numbers: Numbers, mask: Numbers) -> Matrix:
        """What the last layer gives for rows of pieces, of which those count where `mask` is 1."""
        hidden = self._embedded(numbers)
        bias = ((mask[:, None, None, :] - 1) * 1e4).astype(np.float32)
        for layer in range(self.layers):
            hidden = self._layer(hidden, bias, f"encoder.layer.{layer}.")
        return hidden

    def _embedded(self, numbers: Numbers) -> Matrix:
        words = self.arrays["embeddings.word_embeddings.weight"][numbers]
        places = self.arrays["embeddings.position_embeddings.weight"][: numbers.shape[1]]
        kind = self.arrays["embeddings.token_type_embeddings.weight"][0]
        return self._normal(words + places + kind, "embeddings.")

    def _layer(self, hidden: Matrix, bias: Matrix, name: str) -> Matrix:
        seen = self._linear(self._attended(hidden, bias, name), f"{name}attention.output.dense.")
        hidden = self._normal(hidden + seen, f"{name}attention.output.")
        inner = gelu(self._linear(hidden, f"{name}intermediate.dense."))
        return self._normal(hidden + self._linear(inner, f"{name}output.dense."), f"{name}output.")

    def _attended(self, hidden: Matrix, bias: Matrix, name: str) -> Matrix:
        rows, length, width = hidden.shape
        size = width // self.heads
        query, key, value = (
            self._linear(hidden, f"{name}attention.self.{part}.")
            .reshape(rows, length, self.heads, size)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        shares = query @ key.transpose(0, 1, 3, 2) / np.float32(size**0.5) + bias
        shares = np.exp(shares - shares.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        found: Matrix = (shares @ value).transpose(0, 2, 1, 3).reshape(rows, length, width)
        return found

    def _linear(self, states: Matrix, name: str) -> Matrix:
        made: Matrix = states @ self.arrays[f"{name}weight"].T + self.arrays[f"{name}bias"]
        return made

    def _normal(self, states: Matrix, name: str) -> Matrix:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.epsilon)
        made: Matrix = (
            centred / spread * self.arrays[f"{name}LayerNorm.weight"] + self.arrays[f"{name}LayerNorm.bias"]
        )
        return made


def gelu(states: Matrix) -> Matrix:
    """The activation, with the error function to seven digits (Abramowitz and Stegun, 7.1.26)."""
    x = np.abs(states) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * x)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(states) * (1 - series * np.exp(-x * x))
    made: Matrix = (0.5 * states * (1 + error)).astype(np.float32)
    return made


def pooled(states: Matrix, mask: Numbers) -> Matrix:
    """The mean of the pieces that count, of length 1."""
    weights = mask[:, :, None].astype(np.float32)
    sums = (states * weights).sum(axis=1) / weights.sum(axis=1)
    made: Matrix = (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)).astype(np.float32)
    return made


def arrays_of(file: Path) -> dict[str, Matrix]:
    """The arrays of a model's file. Raises OSError and ValueError."""
    try:
        found = load_file(file)
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    return {n.removeprefix("bert."): array for n, array in found.items() if array.dtype == np.float32}
