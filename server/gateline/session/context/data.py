"""What was learned and comes with the package: the weights, the table of vectors."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import gateline.context
from gateline.context.fusion import Weights
from gateline.context.static import StaticTable, table_of
from gateline.session.context import columns

WEIGHTS, TABLE = "weights.json", "static.safetensors"
# importlib.resources would do, but takes longer to import than all of this to read.
_PACKAGE = Path(str(gateline.context.__file__)).parent


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    """The learned weights that come with the package."""
    return weights_in(_PACKAGE)


@lru_cache(maxsize=1)
def shipped_table() -> StaticTable | None:
    """The table of vectors that comes with the package; None in one that was built without it."""
    return table_in(_PACKAGE)


def weights_in(folder: Path) -> Weights:
    """The weights in a folder. Raises OSError."""
    return Weights(json.loads((folder / WEIGHTS).read_text(encoding="utf-8")))


def table_in(folder: Path) -> StaticTable | None:
    """The table in a folder; None when there is none that can be read."""
    try:
        data = (folder / TABLE).read_bytes()
        return table_of(columns.read(data, trusted=True), columns.name_of(data))
    except (OSError, KeyError, ValueError, TypeError):
        return None
