"""What was learned and comes with the package: the weights, the table of vectors, the projection."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gateline.context.fusion import Weights
from gateline.context.projection import Projection, projection_of
from gateline.context.static import StaticTable, table_of

T = TypeVar("T")
_WEIGHTS, _TABLE, _PROJECTION = "weights.json", "static.npz", "semantic.npz"


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    """The learned weights that come with the package."""
    return weights_in(_package())


@lru_cache(maxsize=1)
def shipped_table() -> StaticTable | None:
    """The table of vectors that comes with the package; None in one that was built without it."""
    return table_in(_package())


@lru_cache(maxsize=1)
def shipped_projection() -> Projection | None:
    """The projection that comes with the package; None in one that was built without it."""
    return projection_in(_package())


def weights_in(folder: Traversable | Path) -> Weights:
    """The weights in a folder. Raises OSError."""
    return Weights(json.loads(folder.joinpath(_WEIGHTS).read_text(encoding="utf-8")))


def table_in(folder: Traversable | Path) -> StaticTable | None:
    """The table in a folder; None when there is none that can be read."""
    return _arrays_in(folder, _TABLE, table_of)


def projection_in(folder: Traversable | Path) -> Projection | None:
    """The projection in a folder; None when there is none that can be read."""
    return _arrays_in(folder, _PROJECTION, projection_of)


def _package() -> Traversable:
    return resources("gateline.context")


def _arrays_in(
    folder: Traversable | Path, name: str, made: Callable[[Mapping[str, NDArray[np.generic]]], T]
) -> T | None:
    try:
        with folder.joinpath(name).open("rb") as stored, np.load(stored, allow_pickle=False) as arrays:
            return made(arrays)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None
