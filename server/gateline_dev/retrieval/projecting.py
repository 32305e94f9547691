"""Learns how a question's vector is turned: the first sentence of a docstring is to come near its signature.

The transformer itself is left alone, so that nothing that was embedded is embedded again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from gateline.context.segment import Scores
from gateline_dev.retrieval.batches import Batches

_BATCH, STEPS, _RATE, _SHARPNESS = 512, 1_200, 0.002, 25.0


class Projecting:
    """A matrix that begins as the one that changes nothing."""

    def __init__(
        self, questions: Scores, texts: Scores, groups: Sequence[str], probe: Scores, seed: int = 0
    ) -> None:
        """Vectors of length 1 by function, their packages, and the vector by which the model is known."""
        self.matrix: Scores = np.eye(questions.shape[1], dtype=np.float32)
        self._probe = probe
        self._questions, self._texts = questions, texts
        self._batches = Batches(groups, np.random.default_rng(seed))
        self._first, self._second = np.zeros_like(self.matrix), np.zeros_like(self.matrix)

    def run(self, steps: int = STEPS) -> Iterator[float]:
        """Learn, telling the loss of each step."""
        for step in range(1, steps + 1):
            chosen = self._batches.next(_BATCH)
            loss, gradient = self._slope(self._questions[chosen], self._texts[chosen])
            self._first = 0.9 * self._first + 0.1 * gradient
            self._second = 0.99 * self._second + 0.01 * gradient**2
            rate = np.float32(_RATE * (1 - step / (steps + 1)))
            first, second = self._first / (1 - 0.9**step), self._second / (1 - 0.99**step)
            self.matrix = (self.matrix - rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
            yield loss

    def _slope(self, questions: Scores, texts: Scores) -> tuple[float, Scores]:
        """The loss of telling each text by its question, and each question by its text; and its gradient."""
        turned = questions @ self.matrix
        norms = np.linalg.norm(turned, axis=1, keepdims=True)
        vectors = turned / norms
        scores = _SHARPNESS * vectors @ texts.T
        forth, back = _shares(scores, 1), _shares(scores, 0)
        count = len(questions)
        slope = (forth + back - 2 * np.eye(count, dtype=np.float32)) * (_SHARPNESS / (2 * count)) @ texts
        slope = (slope - (slope * vectors).sum(axis=1, keepdims=True) * vectors) / norms
        loss = float(-np.log(np.maximum(np.diag(forth), 1e-12)).mean())
        gradient: Scores = questions.T @ slope
        return loss, gradient

    def save(self, file: Path) -> None:
        """Write the matrix in two bytes a number."""
        np.savez_compressed(file, matrix=self.matrix.astype(np.float16), probe=self._probe.astype(np.float16))


def _shares(scores: Scores, axis: int) -> Scores:
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    shares: Scores = raised / raised.sum(axis=axis, keepdims=True)
    return shares
