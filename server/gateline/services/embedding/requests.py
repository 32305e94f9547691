"""What the embedder is asked. Frozen, and cheap to pickle; nothing here imports numpy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gateline.services.embedding.weights import Weights


@dataclass(frozen=True, slots=True)
class Load:
    """Make an engine ready; answered by its name. An int8 model is made once where that is possible."""

    weights: Weights
    folder: Path
    """Where models that were made are kept."""


@dataclass(frozen=True, slots=True)
class Embed:
    """Answered by a `Made`."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """Vectors of length 1, one behind the other, as little-endian floats of two bytes."""

    width: int
    vectors: bytes
