"""Which engine runs a model here. Nothing is imported to find out: not even numpy."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from gateline.services.embedding.weights import MissingModelError, Weights

SMALL, FULL = "int8-even.onnx", "fp32.onnx"
"""Files of models that were made: in eight bits, and in the weights' own 32."""


def has(module: str) -> bool:
    """Whether a module is installed."""
    return importlib.util.find_spec(module) is not None


def made_folder(weights: Weights, folder: Path) -> Path:
    """Where in a folder the ONNX model of some weights is kept. Raises MissingModelError."""
    return folder / weights.name


def made_file(weights: Weights, folder: Path) -> Path | None:
    """The ONNX model that was made of some weights; None when there is none. Raises MissingModelError."""
    kept = made_folder(weights, folder)
    found = next((kept / name for name in (SMALL, FULL) if (kept / name).exists()), None)
    return found if found is not None and probe_of(found).exists() else None


def probe_of(file: Path) -> Path:
    """Beside a model that was made: what the reference computes of a few texts."""
    return file.with_suffix(".probe.npy")


def can_make() -> bool:
    """Whether an ONNX model can be made and run."""
    return has("onnxruntime") and has("onnx")


def engine_to_be(weights: Weights, folder: Path) -> str:
    """What will embed the workspace, for people. Raises MissingModelError when nothing can."""
    if not has("tokenizers"):
        raise MissingModelError("tokenizers is not installed: pip install 'gateline[semantic]'")
    if has("onnxruntime") and (can_make() or made_file(weights, folder) is not None):
        return "onnxruntime"
    return "sentence-transformers" if has("sentence_transformers") else "numpy"
