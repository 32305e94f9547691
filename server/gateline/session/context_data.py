"""What was learned and comes with the package: the weights, the table of vectors."""

from __future__ import annotations

import json
import zipfile
from functools import lru_cache
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

from gateline.context.fusion import Weights
from gateline.context.static import StaticTable, table_of

_WEIGHTS, _TABLE = "weights.json", "static.npz"


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    """The learned weights that come with the package."""
    return weights_in(_package())


@lru_cache(maxsize=1)
def shipped_table() -> StaticTable | None:
    """The table of vectors that comes with the package; None in one that was built without it."""
    return table_in(_package())


def weights_in(folder: Traversable | Path) -> Weights:
    """The weights in a folder. Raises OSError."""
    return Weights(json.loads(folder.joinpath(_WEIGHTS).read_text(encoding="utf-8")))


def table_in(folder: Traversable | Path) -> StaticTable | None:
    """The table in a folder; None when there is none that can be read."""
    try:
        with folder.joinpath(_TABLE).open("rb") as stored, np.load(stored, allow_pickle=False) as arrays:
            return table_of(arrays)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def _package() -> Traversable:
    return resources("gateline.context")
