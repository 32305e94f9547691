"""Turns a question's vector before it is compared: a sentence transformer was not made for signatures.

The matrix was learned on documented functions; see `gateline_dev/retrieval`. It holds for one model only,
which is known by the vector that it gives to `PROBE`. The vectors of chunks stay as the model made them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gateline.context.segment import Scores

PROBE = "where is the text by which a model is known"
_ALIKE = 0.98
"""Cosine: engines of the same model differ by less, other models by more."""


@dataclass(frozen=True)
class Projection:
    """The matrix, and the model that it is of."""

    matrix: Scores
    probe: Scores
    """The vector of `PROBE`, of length 1."""

    def is_of(self, probe: Scores) -> bool:
        """Whether it holds for the model that gives `probe` to `PROBE`."""
        return probe.shape == self.probe.shape and float(probe @ self.probe) >= _ALIKE

    def of(self, vector: Scores) -> Scores:
        """A question's vector, turned, of length 1."""
        turned: Scores = vector @ self.matrix
        found: Scores = (turned / max(float(np.linalg.norm(turned)), 1e-9)).astype(np.float32)
        return found


def projection_of(arrays: Mapping[str, NDArray[np.generic]]) -> Projection:
    """The projection from its arrays as they are stored. Raises KeyError for others."""
    return Projection(arrays["matrix"].astype(np.float32), arrays["probe"].astype(np.float32))
