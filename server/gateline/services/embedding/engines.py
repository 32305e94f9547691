"""What makes vectors of texts: onnxruntime, sentence-transformers, or numpy alone.

All give the vectors of the same model: length 1, and the cosine to the reference is at least `AGREEMENT`.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from gateline.services.embedding.bert import Bert, Matrix, Numbers, pooled
from gateline.services.embedding.choice import has, made_file, probe_of
from gateline.services.embedding.pieces import Pieces, padded
from gateline.services.embedding.weights import Weights

log = logging.getLogger(__name__)

AGREEMENT = 0.99
PROBES = (
    "price",
    "http client session send request timeout retry",
    "def read_config(path: Path, *, strict: bool = False) -> dict[str, object]",
)
"""Texts by which a model that was made is tried wherever it is loaded: ten milliseconds."""


class DisagreementError(Exception):
    """A model that was made gives other vectors here than the reference does; the message says how far."""


_BATCH = 8
"""Texts at a time: measured, larger batches pay for padding."""


class Engine(Protocol):
    """Makes vectors."""

    @property
    def name(self) -> str:
        """What it is, for people."""
        ...

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """A vector of length 1 for each text."""
        ...


@dataclass(frozen=True)
class Stepwise:
    """An engine that is given rows of pieces, sorted by their length, a few at a time."""

    name: str
    pieces: Pieces
    states: Callable[[Numbers, Numbers], Matrix]
    """What the last layer gives for rows, of which those pieces count where the second is 1."""

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """A vector of length 1 for each text."""
        rows = self.pieces.rows(texts)
        order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
        made: dict[int, Matrix] = {}
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            numbers, mask = padded([rows[number] for number in chosen])
            made.update(zip(chosen, pooled(self.states(numbers, mask), mask), strict=True))
        return np.stack([made[number] for number in range(len(rows))])


def numpy_engine(weights: Weights) -> Stepwise:
    """The reference. Raises MissingModelError."""
    return Stepwise("numpy", Pieces(weights.folder), Bert.of(weights.folder, weights.config).states)


def onnx_engine(weights: Weights, file: Path) -> Stepwise:
    """The same with onnxruntime, on one thread. Raises MissingModelError, and what onnxruntime raises."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # The arena keeps what the longest batch took: hundreds of megabytes.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])

    def states(numbers: Numbers, mask: Numbers) -> Matrix:
        (found,) = session.run(None, {"numbers": numbers, "mask": mask})
        made: Matrix = found
        return made

    version = onnxruntime.__version__
    return Stepwise(f"onnxruntime {version}, {file.stem}", Pieces(weights.folder), states)


class TorchEngine:
    """sentence-transformers, on one thread. It takes seconds to import, and half a gigabyte."""

    def __init__(self, weights: Weights) -> None:
        """Raises what the library raises."""
        import sentence_transformers
        import torch

        torch.set_num_threads(1)
        self._model = sentence_transformers.SentenceTransformer(
            str(weights.folder), device="cpu", local_files_only=True
        )
        self.name = f"sentence-transformers {sentence_transformers.__version__}"

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """A vector of length 1 for each text."""
        found = self._model.encode(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        made: Matrix = np.asarray(found, np.float32)
        return made


def tried_engine(weights: Weights, file: Path) -> Stepwise:
    """The same, tried: processors differ in how they add up bytes, and a file may be damaged.

    Raises DisagreementError, MissingModelError, and what onnxruntime and numpy raise.
    """
    engine = onnx_engine(weights, file)
    wanted = np.load(probe_of(file), allow_pickle=False)
    agreement = float((wanted * engine.vectors(PROBES)).sum(axis=1).min())
    # Not "less than": what is no number agrees with nothing.
    if not agreement >= AGREEMENT:
        told = f"agreement {agreement:.3f}, required {AGREEMENT}"
        raise DisagreementError(f"{file} does not reproduce the weights: {told}")
    return engine


def best_engine(weights: Weights, folder: Path, *, quick: bool) -> Engine:
    """The fastest engine that is installed. `quick`: one that is ready at once, for single questions.

    An ONNX model that was made once is found in `folder`. Raises MissingModelError.
    """
    file = made_file(weights, folder)
    if file is not None and has("onnxruntime"):
        try:
            return tried_engine(weights, file)
        except Exception as error:  # noqa: BLE001 - whatever a library says: there are other engines
            log.warning("%s is not used: %s", file, error)
    if not quick and has("sentence_transformers"):
        with contextlib.suppress(Exception):
            return TorchEngine(weights)
    return numpy_engine(weights)
