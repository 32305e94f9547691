"""The far side of embedding: makes vectors of texts, in a process of low priority with one thread."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gateline.services import far
from gateline.services.embedding.choice import can_make, made_file
from gateline.services.embedding.engines import Engine, best_engine, tried_engine
from gateline.services.embedding.requests import Embed, Load, Made
from gateline.services.embedding.weights import Weights

log = logging.getLogger(__name__)


class Embedder:
    """Answers the requests of `services.embedding.requests`."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    def answer(self, request: Any) -> Iterator[Any]:
        """The parts of the answer to one request."""
        match request:
            case Load():
                self._engine = self._loaded(request)
                yield self._engine.name
            case Embed():
                assert self._engine is not None, "asked before Load"
                found = self._engine.vectors(request.texts).astype(np.float16)
                yield Made(found.shape[1], found.tobytes())
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def _loaded(self, request: Load) -> Engine:
        file = made_file(request.weights, request.folder)
        if can_make() and (file is None or not _is_fit(request.weights, file)):
            from gateline.services.embedding.graph import make

            try:
                make(request.weights, request.folder)
            except Exception as error:  # noqa: BLE001 - whatever a library says: there are other engines
                log.warning("no ONNX model was made: %s", error)
        return best_engine(request.weights, request.folder, quick=False)


def _is_fit(weights: Weights, file: Path) -> bool:
    """Whether a model that was made, perhaps on another machine, agrees with its weights on this one."""
    try:
        tried_engine(weights, file)
    except Exception as error:  # noqa: BLE001 - whatever a library says: another one is made
        log.warning("%s is made anew: %s", file, error)
        return False
    return True


if __name__ == "__main__":
    far.serve(Embedder().answer)
