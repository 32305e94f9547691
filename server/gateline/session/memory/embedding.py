"""The vectors of notes, made as those of questions to context are: by the table, and by the transformer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from gateline.context.arrays import Scores
from gateline.context.embedding import spelled
from gateline.memory.similarity import SEMANTIC, STATIC
from gateline.services.embedding.engines import Engine, best_engine
from gateline.services.embedding.weights import MissingModelError
from gateline.session.context.data import shipped_table
from gateline.session.context.model import models_folder, usable_weights
from gateline.settings import ContextSettings

_WORDS = 4_096
"""Words whose vectors are remembered: four megabytes."""
_LONGEST = 2_000
"""Characters of a text that count."""


class Maker(Protocol):
    """Makes vectors of one tier."""

    tier: str
    name: str
    """Other makers have other vectors."""

    def of(self, texts: Sequence[str]) -> Scores:
        """A vector of length 1 for each text."""
        ...


class TableMaker:
    """The table that comes with the package."""

    tier = STATIC

    def __init__(self) -> None:
        """Raises MissingModelError in a package that was built without the table."""
        table = shipped_table()
        if table is None:
            raise MissingModelError("this package has no table of vectors")
        self._table = table
        self.name = f"table {table.name}"
        self.word = lru_cache(_WORDS)(lambda word: table.summed(spelled(word)))
        """What a word means: a longer vector tells more."""

    def of(self, texts: Sequence[str]) -> Scores:
        """A vector of length 1 for each text; zeros where no word is known."""
        return np.stack([self._table.question(spelled(text[:_LONGEST])) for text in texts])


class TransformerMaker:
    """The sentence transformer."""

    tier = SEMANTIC

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.name = f"transformer {name}"

    def of(self, texts: Sequence[str]) -> Scores:
        """A vector of length 1 for each text."""
        return self._engine.vectors([text[:_LONGEST] for text in texts])


def makers(
    settings: ContextSettings, root: Path, environ: Mapping[str, str], *, trusted: bool
) -> tuple[tuple[Maker, ...], dict[str, str]]:
    """What makes vectors here, and by tier why one is missing. Blocks: the model is loaded."""
    found: list[Maker] = []
    missing: dict[str, str] = {}
    try:
        found.append(TableMaker())
    except MissingModelError as error:
        missing[STATIC] = str(error)
    if settings.semantic == "off":
        missing[SEMANTIC] = 'context.semantic is "off" in the settings'
        return tuple(found), missing
    try:
        weights = usable_weights(settings, root, environ, models_folder(), trusted=trusted)
        found.append(TransformerMaker(best_engine(weights, models_folder(), quick=True), weights.name))
    except MissingModelError as error:
        missing[SEMANTIC] = str(error)
    return tuple(found), missing


def packed(vector: Scores) -> bytes:
    """The direction of a vector, a byte for each number."""
    largest = max(float(np.abs(vector).max()), 1e-9)
    made: bytes = np.rint(vector * (127 / largest)).astype(np.int8).tobytes()
    return made


def unpacked(parts: Sequence[bytes]) -> Scores:
    """Vectors of length 1 from their bytes, which are of one length."""
    rows = np.frombuffer(b"".join(parts), np.int8).reshape(len(parts), -1).astype(np.float32)
    made: Scores = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return made
