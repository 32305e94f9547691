"""all-MiniLM-L6-v2 with the engines of the product: what tables are made of, a tier, and a baseline."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gateline.services.embedding.bert import Matrix, pooled
from gateline.services.embedding.choice import can_make, made_file
from gateline.services.embedding.engines import Stepwise, best_engine, numpy_engine
from gateline.services.embedding.pieces import padded
from gateline.services.embedding.weights import MissingModelError, find_weights
from gateline.session.context.model import models_folder
from gateline_dev.bench.environments import UnavailableError

_START, _END = "[CLS]", "[SEP]"
_AT_ONCE = 64


@dataclass(frozen=True)
class MiniLM:
    """The transformer with its vocabulary."""

    engine: Stepwise
    reference: Stepwise
    """The same vectors on every machine, slowly."""
    numbers: dict[str, int]
    """Of the pieces of words."""
    name: str
    """Other weights, and other engines, have other vectors."""

    @classmethod
    def of(cls, folder: Path | None) -> MiniLM:
        """The model in a folder, else the one that the product finds. Raises UnavailableError."""
        try:
            weights = find_weights(str(folder.absolute()) if folder else None, Path.cwd(), os.environ)
            made = models_folder()
            if can_make() and made_file(weights, made) is None:
                from gateline.services.embedding.graph import make

                make(weights, made)
            engine = best_engine(weights, made, quick=True)
        except MissingModelError as error:
            raise UnavailableError(str(error)) from None
        assert isinstance(engine, Stepwise), "the engine for questions is one of ours"
        told = json.loads((weights.folder / "tokenizer.json").read_text(encoding="utf-8"))
        return cls(engine, numpy_engine(weights), told["model"]["vocab"], f"{weights.name} {engine.name}")

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """A vector of length 1 for each text."""
        return self.engine.vectors(texts)

    def alone(self, pieces: Sequence[str]) -> Matrix:
        """A vector of length 1 for each piece of a word, as if it were a whole text."""
        rows = [[self.numbers[one] for one in (_START, piece, _END)] for piece in pieces]
        parts = []
        for start in range(0, len(rows), _AT_ONCE):
            numbers, mask = padded(rows[start : start + _AT_ONCE])
            parts.append(pooled(self.reference.states(numbers, mask), mask))
        found: Matrix = np.concatenate(parts)
        return found
